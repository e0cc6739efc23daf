import { describe, expect, test } from '@jest/globals';
import { compare, type GatewayRow } from '../../../src/costs/reconcile/comparison.rules.js';
import type { ProviderExport } from '../../../src/costs/reconcile/export-reader.js';
import { likelyCauses } from '../../../src/costs/reconcile/likely-causes.rules.js';
import { summaryOf } from '../../../src/costs/reconcile/reconciliations.service.js';
import { costExport, costRows, dayAt, gatewayRow, readExport } from './gateway-rows.js';

const causes = (file: ProviderExport, rows: readonly GatewayRow[], upstreams = ['openai']) =>
  likelyCauses(file, compare(file, rows), upstreams);
const codes = (...given: Parameters<typeof causes>) => causes(...given).map(({ code }) => code);
const summary = (file: ProviderExport, rows: readonly GatewayRow[]) => summaryOf(file, compare(file, rows));

describe('likely causes', () => {
  test('equal figures have no likely causes', () => {
    expect(causes(costExport(['1', '2']), costRows([1, 2]))).toEqual([]);
  });

  test('rounding is the only likely cause if the export explains the difference', () => {
    expect(codes(costExport(['1.00', '2.00']), costRows([1.004, 1.997]))).toEqual(['rounding']);
  });

  test.each([
    [[0, 1, 2, 4], 'next'],
    [[2, 4, 8], 'previous'],
  ])('the time zone is a likely cause if the days of %j match after a shift: %s', (dollars, which) => {
    const shifted = which === 'next' ? costRows(dollars) : [...costRows([1]), ...costRows(dollars)].map(backOneDay);
    const [cause, ...others] = causes(costExport(['1', '2', '4']), shifted);
    expect(others).toEqual([]);
    expect(cause).toEqual({
      code: 'time_zone',
      message: `Each day of the export matches the gateway's ${which} day. Export the days in UTC.`,
    });
  });

  test('the time zone is a likely cause if only the totals match', () => {
    const [cause] = causes(costExport(['10', '20', '30']), costRows([12, 20, 28]));
    expect(cause).toMatchObject({ code: 'time_zone', message: expect.stringContaining('midnight UTC') });
  });

  test('unpriced models are a likely cause, and are named', () => {
    const rows = costRows([0.5], { unpricedRequests: 1, requests: 2 });
    expect(causes(costExport(['1']), rows)).toEqual([
      {
        code: 'unpriced_models',
        message: 'The gateway has no complete price for 1 request, so its costs are lower bounds. Models: gpt-4o.',
      },
    ]);
  });

  test('requests that bypass the gateway are a likely cause if the provider has more usage, or models that the gateway lacks', () => {
    expect(codes(costExport(['10', '7']), costRows([8, 7]))).toEqual(['requests_bypassed']);
    const file = readExport('start_time_iso,amount_value,line_item\n2026-10-01,10,gpt-4o\n2026-10-01,0.01,"o3, input"');
    expect(causes(file, costRows([10]))).toEqual([
      { code: 'requests_bypassed', message: expect.stringMatching(/Only in the export: o3\.$/) },
    ]);
  });

  test('an incomplete export is a likely cause if it lacks models or days of the gateway', () => {
    const rows = [...costRows([10]), gatewayRow({ day: dayAt(0), model: 'o3', columns: { cost_nanos: 5n } })];
    expect(causes(costExport(['10.000000000']), rows)).toEqual([
      { code: 'export_incomplete', message: expect.stringContaining('o3') },
    ]);
  });

  test('a changed price is a likely cause if a model differs by the same share on several days', () => {
    expect(causes(costExport(['10', '20', '40', '10']), costRows([10, 24, 48, 12]))).toEqual([
      {
        code: 'price_change',
        message:
          "gpt-4o differs by about 20.00 % on every day from 2026-10-02. Compare its price with the provider's price list, and check discounts.",
      },
    ]);
  });

  test('several upstreams, estimates and older usage are likely causes', () => {
    const rows = costRows([11], { estimatedRequests: 1, backfilledRequests: 1 });
    expect(codes(costExport(['10']), rows, ['anthropic', 'openai'])).toEqual([
      'several_upstreams',
      'estimated_usage',
      'backfilled_usage',
    ]);
  });
});

describe('the summary', () => {
  test.each([
    [
      costExport(['10', '20']),
      costRows([10, 20]),
      'From 2026-10-01 to 2026-10-02, the provider billed $30 and the gateway recorded $30: the same. All 2 days match.',
    ],
    [
      costExport(['12.5']),
      costRows([12]),
      'On 2026-10-01, the provider billed $12.5 and the gateway recorded $12: $0.5 less (-4.00 %). 1 of 1 day differs.',
    ],
    [
      costExport(['0']),
      costRows([0.000001], { unpricedRequests: 1 }),
      'On 2026-10-01, the provider billed $0 and the gateway recorded at least $0.000001: $0.000001 more. The day matches.',
    ],
    [
      costExport(['1', null, '3.00000000001']),
      costRows([1, 2]),
      "From 2026-10-01 to 2026-10-03, the provider billed $4 and the gateway recorded $3: $1 less (-25.00 %). 2 of 3 days differ, 1 only in the export and 1 only in the gateway's records. 1 amount has more than nine decimals and was rounded.",
    ],
  ])('reports totals, days and rounding: %#', (file, rows, text) => {
    expect(summary(file, rows)).toBe(text);
  });

  test('the summary of usage reports tokens', () => {
    const file = readExport('start_time_iso,num_model_requests,model,input_tokens,output_tokens\n2026-10-01,1,m,10,5');
    const rows = [gatewayRow({ day: dayAt(0), model: 'm', columns: { input: 10n, output: 4n } })];
    expect(summary(file, rows)).toBe(
      'On 2026-10-01, the provider counted 15 tokens and the gateway recorded 14 tokens: 1 token less (-6.67 %). 1 of 1 day differs.',
    );
  });
});

const backOneDay = (row: GatewayRow, n: number): GatewayRow => ({
  ...row,
  day: n === 0 ? '2026-09-30' : dayAt(n - 1),
});
