import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compare, familyOf, labelsOf } from '../../../src/costs/reconcile/comparison.rules.js';
import { mainFigure } from '../../../src/costs/reconcile/differences.rules.js';
import { EXPORTS } from './exports.js';
import { costExport, costRows, dayAt, DOLLAR, gatewayRow, readExport } from './gateway-rows.js';

describe('model names', () => {
  test.each([
    ['gpt-5-mini-2025-08-07', 'gpt-5-mini'],
    ['claude-haiku-4-5-20251001', 'claude-haiku-4-5'],
    ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet'],
    ['claude-haiku-4-5@20251001', 'claude-haiku-4-5'],
    ['gpt-4-0613', 'gpt-4'],
    ['Claude Haiku 4.5', 'claude-haiku-4-5'],
    ['Claude 3.5 Sonnet 2024-10-22', 'claude-3-5-sonnet'],
    ['gpt-4.1', 'gpt-4.1'],
    ['gpt-4o-mini', 'gpt-4o-mini'],
    ['text-embedding-3-small', 'text-embedding-3-small'],
    ['gpt-3.5-turbo-1106', 'gpt-3.5-turbo'],
    ['davinci-9999', 'davinci-9999'],
  ])('%s belongs to %s', (model, family) => {
    expect(familyOf(model)).toBe(family);
  });

  const labels = (provider: string[], gateway: string[]) =>
    Object.fromEntries(labelsOf(new Set(provider), new Set(gateway)));

  test('model names are compared exactly if the export has each name of the gateway', () => {
    expect(labels(['a-2025-01-01', 'a-2025-02-02', 'b'], ['a-2025-01-01', 'b'])).toEqual({
      'a-2025-01-01': 'a-2025-01-01',
      'a-2025-02-02': 'a-2025-02-02',
      b: 'b',
    });
  });

  test('model names are compared without dates if the gateway has a name that the export lacks', () => {
    expect(labels(['a-2025-01-01', 'a-2025-02-02'], ['a', 'a-2025-01-01'])).toEqual({
      a: 'a',
      'a-2025-01-01': 'a',
      'a-2025-02-02': 'a',
    });
    expect(labels(['Claude Haiku 4.5'], ['claude-haiku-4-5-20251001'])).toEqual({
      'Claude Haiku 4.5': 'claude-haiku-4-5',
      'claude-haiku-4-5-20251001': 'claude-haiku-4-5',
    });
  });

  test('model names keep their dates if only one side has the family', () => {
    expect(labels(['a-2025-01-01'], ['b-2025-01-01', 'b'])).toEqual({
      'a-2025-01-01': 'a-2025-01-01',
      'b-2025-01-01': 'b-2025-01-01',
      b: 'b',
    });
  });
});

describe('a comparison', () => {
  test('a comparison has days and models of either side, and ignores records outside the export', () => {
    const file = readExport(EXPORTS.openai_costs);
    const rows = [
      gatewayRow({ day: '2026-09-30', columns: { cost_nanos: 99n } }),
      gatewayRow({ day: '2026-10-01', model: 'gpt-5-mini', columns: { cost_nanos: 1_734_567_890n } }),
      gatewayRow({ day: '2026-10-01', model: 'o3', unpricedRequests: 1 }),
      gatewayRow({ day: '2026-10-02', model: 'gpt-4o', columns: { cost_nanos: 5n } }),
    ];
    const { totals, days, models } = compare(file, rows);
    expect(days.map(({ day, foundIn, matches }) => [day, foundIn, matches])).toEqual([
      ['2026-10-01', 'both', false],
      ['2026-10-02', 'gateway', false],
      ['2026-10-03', 'provider', true],
    ]);
    expect(models!.map(({ day, model, foundIn, matches }) => [day, model, foundIn, matches])).toEqual([
      ['2026-10-01', 'gpt-4o', 'provider', false],
      ['2026-10-01', 'gpt-5-mini', 'both', true],
      ['2026-10-01', 'o3', 'gateway', true],
      ['2026-10-02', 'gpt-4o', 'gateway', false],
      ['2026-10-03', 'gpt-5-mini', 'provider', true],
    ]);
    expect(models![1]).toMatchObject({ providerModels: ['gpt-5-mini-2025-08-07'], gatewayModels: ['gpt-5-mini'] });
    expect(totals).toMatchObject({ requests: 3, unpricedRequests: 1, rows: 4 });
    expect([totals.provider.get('cost'), totals.gateway.get('cost')]).toEqual([3_734_567_890n, 1_734_567_895n]);
  });

  test('a comparison of tokens uses the same definition of input on both sides', () => {
    const columns = { input: 1001n, cache_write_5m: 200n, cache_write_1h: 30n, cached_input: 4000n, output: 505n };
    const row = gatewayRow({
      day: '2026-10-01',
      model: 'claude-haiku-4-5',
      requests: 3,
      columns: { ...columns, web_searches: 2n },
    });
    const { totals, days } = compare(readExport(EXPORTS.anthropic_usage), [row]);
    expect(Object.fromEntries(totals.gateway)).toEqual({
      input_tokens: 5231n,
      cached_input_tokens: 4000n,
      cache_write_tokens: 230n,
      output_tokens: 505n,
      web_searches: 2n,
    });
    expect(days[0]).toMatchObject({ foundIn: 'both', matches: true });
  });

  test('a comparison of tokens does not match if one figure differs by one', () => {
    const columns = { input: 54_240n, cached_input: 5760n, output: 10_701n };
    const rows = [gatewayRow({ day: '2026-10-01', model: 'gpt-4o', requests: 11, columns })];
    expect(compare(readExport(EXPORTS.openai_usage), rows).totals.matches).toBe(false);
  });

  test.each([
    // One row with cents is exact to half a cent.
    [['1.00'], 1.005, true],
    [['1.00'], 1.006, false],
    // Exact amounts have no tolerance except for the gateway's rounding of each request.
    [['1.000000000'], 1.000000001, true],
    [['1.000000000'], 1.000000004, false],
  ])('a comparison of %j with %d matches within rounding: %s', (amounts, dollars, matches) => {
    expect(compare(costExport(amounts), costRows([dollars])).totals.matches).toBe(matches);
  });

  test('a comparison without models in the export has none in the result', () => {
    const file = readExport('start_time_iso,amount_value\n2026-10-01,1');
    expect(compare(file, costRows([1]))).toMatchObject({ models: null, totals: { matches: true } });
  });

  test('a comparison has days and models that add up to the totals on both sides', () => {
    const amount = fc.record({ day: fc.nat(4), model: fc.constantFrom('a', 'a-2025-01-01', 'b'), nanos: fc.nat() });
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 1, maxLength: 20 }),
        fc.array(amount, { maxLength: 20 }),
        (theirs, ours) => {
          const lines = theirs.map(({ day, model, nanos }) => `${dayAt(day)},${nanos}e-9,${model}`);
          const file = readExport(['start_time_iso,amount_value,model', ...lines].join('\n'));
          const rows = ours.map(({ day, model, nanos }) =>
            gatewayRow({ day: dayAt(day), model, columns: { cost_nanos: BigInt(nanos) } }),
          );
          const { totals, days, models } = compare(file, rows);
          for (const parts of [days, models!])
            for (const side of ['provider', 'gateway'] as const)
              expect(parts.reduce((sum, part) => sum + mainFigure(part[side]), 0n)).toBe(mainFigure(totals[side]));
          expect(mainFigure(totals.provider)).toBe(theirs.reduce((sum, { nanos }) => sum + BigInt(nanos), 0n));
          expect(totals.requests).toBe(rows.filter(({ day }) => file.from <= day && day <= file.to).length);
        },
      ),
    );
  });

  test('accepts credits, which are negative amounts', () => {
    const { totals } = compare(costExport(['-2.5', '1']), costRows([0, 1]));
    expect(totals.provider.get('cost')).toBe((-3n * DOLLAR) / 2n);
  });
});
