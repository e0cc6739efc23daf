import fc from 'fast-check';

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;

/** Any code point that is no half of a pair. fast-check's own `binary` is the same, and looks at all million of them first: a second. */
const codePoint = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(
  (nth) => String.fromCodePoint(nth < SURROGATES_FROM ? nth : nth + SURROGATES),
  // Backwards, so that names such as `__proto__` are tried too.
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0)! : NaN;
    return point < SURROGATES_FROM ? point : point - SURROGATES;
  },
);

/** Text that any client could send. */
export const anyText = (limits: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ ...limits, unit: codePoint });
