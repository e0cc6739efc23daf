import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readImport, readPrice } from '../../src/admin/prices/price-input.js';
import { parsePrice } from '../../src/costs/pricing/price-text.rules.js';
import { USAGE_KIND_NAMES } from '../../src/costs/usage-kinds.data.js';
import { GatewayError } from '../../src/platform/errors/gateway-error.js';

const CONTEXT = { upstreams: ['default', 'azure'], nowMs: Date.UTC(2026, 6, 1) };

const amount = fc
  .tuple(fc.nat(9_000_000), fc.option(fc.stringMatching(/^\d{1,6}$/)))
  .map(([whole, decimals]) => (decimals === null ? String(whole) : `${whole}.${decimals}`));
const amounts = fc.dictionary(fc.constantFrom(...USAGE_KIND_NAMES), amount, { minKeys: 1 });
const word = fc.stringMatching(/^[a-z0-9_-]{1,64}$/);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const valid = fc.record(
  {
    model: fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme-ascii' }),
    provider: fc.constantFrom('*', 'default', 'azure'),
    currency: fc.constant('USD'),
    valid_from: maybe(fc.constantFrom('2026-01-01', '2026-06-30T12:00:00Z')),
    valid_to: maybe(fc.constantFrom('2026-08-01', '2999-01-01')),
    prices: amounts,
    tiers: fc
      .array(amounts, { maxLength: 10 })
      .map((all) => all.map((prices, at) => ({ above: 1000 * (at + 1), prices }))),
    images: fc.array(fc.record({ size: maybe(word), quality: maybe(word), price: amount }), { maxLength: 5 }),
    factors: fc.array(
      fc.oneof(
        fc.record({ service_tier: word, multiplier: amount }),
        fc.record({ region: word, multiplier: amount, service_tier: fc.constant(null) }),
      ),
      { maxLength: 5 },
    ),
    note: maybe(fc.string({ minLength: 1, maxLength: 500, unit: 'grapheme-ascii' })),
  },
  { requiredKeys: ['model', 'prices'] },
);

describe('the input of a price', () => {
  test('a price is accepted if it follows the documented form, with exact prices', async () => {
    await fc.assert(
      fc.asyncProperty(valid, async (body) => {
        const price = readPrice(body, '', CONTEXT);
        for (const [kind, text] of Object.entries(body.prices))
          expect(price.terms.prices[kind as 'input']).toBe(parsePrice(text));
        for (const [at, { multiplier }] of (body.factors ?? []).entries()) {
          const { numerator, denominator } = price.terms.factors![at]!;
          expect(BigInt(numerator) * 1_000_000_000n).toBe(BigInt(parsePrice(multiplier)!) * BigInt(denominator));
        }
        expect(await readImport({ prices: [body] }, CONTEXT)).toEqual([price]);
      }),
    );
  });

  test('a price with any part replaced is either accepted, or rejected with the path of a field', () => {
    const junk = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('', '-0', '٣', '1\n', '\0', '\ud800', 2 ** 53, -0),
    );
    let refusals = 0;
    const tryWith = (body: object, path: Path, value: unknown) => {
      try {
        readPrice(replaced(body, path, value), 'prices[3].', CONTEXT);
      } catch (error) {
        refusals += 1;
        expect(error).toBeInstanceOf(GatewayError);
        const { code, param, message } = error as GatewayError;
        expect([code, param!.startsWith(`prices[3].${path[0]!}`)]).toEqual(['validation_error', true]);
        expect(message).toContain(param!);
      }
    };
    // Generating a price takes longer than reading it, so each one is read with several replacements.
    const replacements = fc.array(fc.tuple(junk, fc.nat()), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(valid, replacements, (body, chosen) => {
        const paths = pathsIn(body);
        for (const [value, choice] of chosen) tryWith(body, paths[choice % paths.length]!, value);
      }),
      { numRuns: 300 },
    );
    expect(refusals).toBeGreaterThan(1000);
  });

  test('an import of 1,000 prices yields to other work of the process', async () => {
    const prices = Array.from({ length: 1000 }, (_, at) => ({ model: `m${at}`, prices: { input: '1' } }));
    let turns = 0;
    let isReading = true;
    const count = () => {
      turns++;
      if (isReading) setImmediate(count);
    };
    setImmediate(count);
    expect(await readImport({ prices }, CONTEXT)).toHaveLength(1000);
    isReading = false;
    expect(turns).toBeGreaterThan(10);
  });
});

type Path = readonly string[];

function pathsIn(value: unknown, before: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return before.length === 0 ? [] : [before];
  const inside = Object.entries(value).flatMap(([name, item]) => pathsIn(item, [...before, name]));
  return before.length === 0 ? inside : [before, ...inside];
}

function replaced(target: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  const copy = (Array.isArray(target) ? [...(target as unknown[])] : { ...(target as object) }) as Record<
    string,
    unknown
  >;
  copy[name] = replaced(copy[name], rest, value);
  return copy;
}
