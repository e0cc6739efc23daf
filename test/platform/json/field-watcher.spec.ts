import fc from 'fast-check';
import { describe, expect, jest, test } from '@jest/globals';
import { CAPTURE_BYTES_MAX, FieldWatcher } from '../../../src/platform/json/field-watcher.js';
import { WatchedFields } from '../../../src/platform/json/watched-fields.js';

const LEAF = { leaf: 'a' };
const INNER = new WatchedFields({ a: LEAF });
/** Watches `a`, `b.a`, `c[0].a`, and either `d`, if it is a string, or `d.a`. */
const ROOT = new WatchedFields({
  a: LEAF,
  b: { fields: INNER },
  c: { fields: new WatchedFields({ 0: { fields: INNER } }) },
  d: { leaf: 'd', fields: INNER },
});

/** Returns the reported values, and `|` at the end of each document. */
function watched(pieces: readonly Buffer[]): string[] {
  const seen: string[] = [];
  const watch = new FieldWatcher(ROOT, {
    value: (leaf, value) => void seen.push(`${leaf} ${value.toString()}`),
    document: () => void seen.push('|'),
  });
  // Each piece is overwritten afterwards, to detect a watch that keeps it.
  for (const piece of pieces) {
    const chunk = Buffer.from(piece);
    watch.push(chunk);
    chunk.fill(0x21);
  }
  watch.end();
  return seen;
}
const ofText = (text: string) => watched([Buffer.from(text)]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The reference implementation, which parses the document. */
function byParsing(document: Record<string, unknown>): string[] {
  const reports = (leaf: string, value: unknown) =>
    typeof value === 'string' || isObject(value) ? [`${leaf} ${JSON.stringify(value)}`] : [];
  const within = (value: unknown) =>
    isObject(value) ? Object.entries(value).flatMap(([name, inner]) => (name === 'a' ? reports('a', inner) : [])) : [];
  const found = Object.entries(document).flatMap(([name, value]) => {
    if (name === 'a') return reports('a', value);
    if (name === 'b') return within(value);
    if (name === 'c' && Array.isArray(value)) return within((value as unknown[])[0]);
    if (name === 'd') return typeof value === 'string' ? reports('d', value) : within(value);
    return [];
  });
  return [...found, '|'];
}

const text = fc
  .array(fc.constantFrom('a', '"a"', '\\', '"', '{', '}', '[', ']', ':', ',', 'é', '\n', 'x'.repeat(61)), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.constantFrom(null, true, -1.5e9),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', 'c'), text), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const anyDocument = fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), text), anyValue, {
  maxKeys: 6,
  noNullPrototype: true,
});
const inPieces = (bytes: Buffer, sizes: readonly number[]): Buffer[] => {
  const pieces: Buffer[] = [];
  for (let at = 0, nth = 0; at < bytes.length; nth++) {
    const size = sizes[nth % sizes.length]!;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
};
const anySizes = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 5 });

describe('FieldWatcher', () => {
  test('finds the same fields as JSON.parse in any documents, regardless of how they are chunked', () => {
    fc.assert(
      fc.property(fc.array(anyDocument, { maxLength: 3 }), anySizes, fc.boolean(), (documents, sizes, asArray) => {
        // A `__proto__` key would set the prototype instead of a field.
        fc.pre(documents.every((document) => !JSON.stringify(document).includes('__proto__')));
        const lines = documents.map((document) => JSON.stringify(document));
        const bytes = Buffer.from(asArray ? `[${lines.join(',')}]` : lines.join('\n'));
        const expected = documents.flatMap(byParsing);
        expect(watched([bytes])).toEqual(expected);
        expect(watched(inPieces(bytes, sizes))).toEqual(expected);
      }),
      { numRuns: 3000 },
    );
  });

  test('finds fields before and after long strings, arrays and objects', () => {
    const long = [
      `"${'A'.repeat(60_000)}"`,
      `"${'\\"'.repeat(20_000)}"`,
      `"${'\\\\'.repeat(20_001)}"`,
      `[${'0.125,'.repeat(10_000)}1]`,
      `[${'[1,"x"],{"a":{}},'.repeat(4_000)}1]`,
    ];
    for (const value of long) {
      const bytes = Buffer.from(`{"a":{"x":1},"y":${value},"b":{"z":${value},"a":{"x":2}},"w":${value}}`);
      const expected = ['a {"x":1}', 'a {"x":2}', '|'];
      expect(watched([bytes])).toEqual(expected);
      for (const sizes of [[16_384], [1], [7, 20_001]]) expect(watched(inPieces(bytes, sizes))).toEqual(expected);
    }
  });

  test.each<[string, readonly string[]]>([
    ['{"a":"x","a":"y"}', ['a "x"', 'a "y"', '|']],
    [' {"a" : "x" } {"a":\n{} }', ['a "x"', '|', 'a {}', '|']],
    ['{"c":[{"x":1,"a":"x"},{"a":"y"}]}', ['a "x"', '|']],
    ['{"c":[1,{"a":"x"}],"c":["a",{"a":"x"}],"c":[]}', ['|']],
    ['{"d":{"a":"x"},"d":"y"}', ['a "x"', 'd "y"', '|']],
    ['{"b":["a",{"a":"x"}],"a":[{"a":"x"}],"a":1}', ['|']],
    ['{"aa":"x","":"x","\\u0061":"x"}', ['|']],
    [`{"${'a'.repeat(65)}":"x","a":"y"}`, ['a "y"', '|']],
    ['[[{"a":"x"}]]', ['a "x"', '|']],
    ['"a" : "x", {"a":"y"}', ['a "y"', '|']],
    ['', []],
    ['   ', []],
  ])('reports the fields of %j as %j', (text, expected) => {
    expect(ofText(text)).toEqual(expected);
    expect(watched([...Buffer.from(text)].map((byte) => Buffer.of(byte)))).toEqual(expected);
  });

  test('reports the beginning of a truncated field', () => {
    const bytes = Buffer.from('{"b":{"a":{"x":"\\"y"}}}');
    const seen = Array.from({ length: bytes.length }, (_, cut) => watched([bytes.subarray(0, cut)]).join(' '));
    expect(seen[0]).toBe('');
    expect(seen[10]).toBe('|');
    expect(seen[14]).toBe('a {"x" |');
    expect(seen.at(-1)).toBe('a {"x":"\\"y"} |');
  });

  test('truncates long values and bounds its memory', () => {
    const bytes = Buffer.from(`{"a":"${'x'.repeat(3 * CAPTURE_BYTES_MAX)}","a":"y"}`);
    for (const sizes of [[bytes.length], [10_000], [1, 2, 300_000]]) {
      const alloc = jest.spyOn(Buffer, 'allocUnsafeSlow');
      const seen = watched(inPieces(bytes, sizes));
      expect(Math.max(0, ...alloc.mock.calls.map(([size]) => size))).toBeLessThanOrEqual(CAPTURE_BYTES_MAX);
      alloc.mockRestore();
      expect(seen).toEqual([`a "${'x'.repeat(CAPTURE_BYTES_MAX - 1)}`, 'a "y"', '|']);
    }
  });
});

test('bytes that are not JSON never cause an error, and their chunks do not affect the result', () => {
  const morsel = fc.oneof(
    fc.uint8Array({ maxLength: 10 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', '"a"', '"a":', '{"a":', '{"b":{', '"c":[{', 'null', ' ')
      .map((piece) => Buffer.from(piece)),
  );
  fc.assert(
    fc.property(fc.array(morsel, { maxLength: 60 }), (morsels) => {
      const bytes = Buffer.concat(morsels);
      const seen = watched([bytes]);
      expect(watched(morsels)).toEqual(seen);
      expect(watched([...bytes].map((byte) => Buffer.of(byte)))).toEqual(seen);
    }),
    { numRuns: 3000 },
  );
});
