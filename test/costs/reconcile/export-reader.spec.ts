import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvRows } from '../../../src/platform/csv/csv-rows.rules.js';
import { EXPORT_FORMATS, type ExportFormat } from '../../../src/costs/reconcile/export-formats.data.js';
import { ExportReader, type ProviderExport } from '../../../src/costs/reconcile/export-reader.js';
import { GatewayError } from '../../../src/platform/errors/gateway-error.js';
import { EXPORTS } from './exports.js';

function read(csv: string, format: ExportFormat | 'auto' = 'auto'): ProviderExport {
  const reader = new ExportReader(format);
  for (const row of csvRows(csv)) reader.add(row);
  return reader.end();
}

const sumsOf = ({ sums }: ProviderExport, day: string) =>
  Object.fromEntries([...sums.of(day)].map(([model, { figures }]) => [model, Object.fromEntries(figures)]));

function problemOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof GatewayError) return `${error.code} ${error.param}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('exports', () => {
  test.each(EXPORT_FORMATS)('exports in the format %s are recognized by their header', (format) => {
    expect(read(EXPORTS[format]).format).toBe(format);
    expect(read(EXPORTS[format], format).format).toBe(format);
  });

  test("OpenAI's costs are exact by day and model, and days without usage count as days", () => {
    const file = read(EXPORTS.openai_costs);
    expect(file).toMatchObject({ from: '2026-10-01', to: '2026-10-03', rows: 5, rounded: 1, hasModels: true });
    expect(sumsOf(file, '2026-10-01')).toEqual({
      'gpt-5-mini-2025-08-07': { cost: 1_734_567_890n },
      'gpt-4o-2024-08-06': { cost: 2_000_000_000n },
    });
    expect(sumsOf(file, '2026-10-02')).toEqual({});
    // $0.00000000006 is rounded to the nearest nano-dollar.
    expect(sumsOf(file, '2026-10-03')).toEqual({ 'gpt-5-mini-2025-08-07': { cost: 0n } });
    expect(file.ignored).toContain('organization_name');
  });

  test("OpenAI's usage has requests and tokens, which include cached tokens", () => {
    expect(sumsOf(read(EXPORTS.openai_usage), '2026-10-01')).toEqual({
      'gpt-4o-2024-08-06': { requests: 11n, input_tokens: 60_000n, cached_input_tokens: 5760n, output_tokens: 10_700n },
    });
  });

  test("Anthropic's costs have the names of models that people read", () => {
    const file = read(EXPORTS.anthropic_costs);
    expect(sumsOf(file, '2026-10-01')).toEqual({ 'Claude Haiku 4.5': { cost: 70_000_000n } });
    expect(sumsOf(file, '2026-10-02')).toEqual({ 'Claude 3.5 Sonnet 2024-10-22': { cost: 300_000_000n } });
  });

  test("Anthropic's usage by hour is added up, and its input includes caches", () => {
    expect(sumsOf(read(EXPORTS.anthropic_usage), '2026-10-01')).toEqual({
      'claude-haiku-4-5-20251001': {
        input_tokens: 5231n,
        cached_input_tokens: 4000n,
        cache_write_tokens: 230n,
        output_tokens: 505n,
        web_searches: 2n,
      },
    });
  });

  test('headers match regardless of case and separators, and unknown columns are ignored', () => {
    const file = read('Usage Date (UTC),Colour,Cost-USD,Token Type\n2026-10-01,red,1.5,output');
    expect(file).toMatchObject({ format: 'anthropic_costs', ignored: ['Colour', 'Token Type'] });
    expect(sumsOf(file, '2026-10-01')).toEqual({ '': { cost: 1_500_000_000n } });
  });

  test('an older column of cents is not used if there is one of dollars', () => {
    const csv = 'timestamp,currency,name,cost,organization_id,cost_in_major\n1790812800,usd,GPT-4o mini,150,org-1,1.5';
    expect(sumsOf(read(csv), '2026-10-01')).toEqual({ 'GPT-4o mini': { cost: 1_500_000_000n } });
  });

  test('a total of cache writes is not added to its parts', () => {
    const csv =
      'usage_date_utc,usage_input_tokens_no_cache,usage_output_tokens,cache_creation_input_tokens,usage_input_tokens_cache_write_5m\n' +
      '2026-10-01,1,2,30,30';
    expect(sumsOf(read(csv), '2026-10-01')).toEqual({
      '': { input_tokens: 31n, cache_write_tokens: 30n, output_tokens: 2n },
    });
  });
});

describe('an invalid export', () => {
  const HEADER = 'start_time,end_time,amount_value,amount_currency,line_item';
  const GOOD = '2026-10-01,2026-10-02,1,usd,gpt-4o';

  test.each([
    [
      'amount',
      '2026-10-01,,1.2.3,usd,x',
      "Row 3 has '1.2.3' in the column 'amount_value': it must be an amount in dollars such as 1.25.",
    ],
    [
      'missing amount',
      '2026-10-01,,,usd,x',
      "Row 3 has an empty cell in the column 'amount_value': it must be an amount in dollars such as 1.25.",
    ],
    [
      'thousands',
      '2026-10-01,,"1,234",usd,x',
      "Row 3 has '1,234' in the column 'amount_value': it must be an amount in dollars such as 1.25.",
    ],
    [
      'huge amount',
      '2026-10-01,,1e50,usd,x',
      "Row 3 has '1e50' in the column 'amount_value': it must be an amount in dollars such as 1.25.",
    ],
    [
      'date',
      '10/01/2026,,1,usd,x',
      "Row 3 has '10/01/2026' in the column 'start_time': it must be a UTC date such as 2026-07-31.",
    ],
    [
      'week',
      '2026-10-01,2026-10-08,1,usd,x',
      "Row 3 has '2026-10-08' in the column 'end_time': it is on another UTC day than the start. Export daily figures in UTC.",
    ],
    [
      'day of another zone',
      '2026-10-01T07:00:00Z,2026-10-02T07:00:00Z,1,usd,x',
      "Row 3 has '2026-10-02T07:00:00Z' in the column 'end_time': it is on another UTC day than the start. Export daily figures in UTC.",
    ],
    [
      'reversed range',
      '2026-10-02,2026-10-01,1,usd,x',
      "Row 3 has '2026-10-01' in the column 'end_time': it is before the start of the row.",
    ],
    ['currency', '2026-10-01,,1,eur,x', "Row 3 has 'eur' in the column 'amount_currency': it must be USD."],
    ['truncated', '2026-10-01,,1', 'Row 3 has 3 cells, but the header has 5.'],
    ['long', `${GOOD},more`, 'Row 3 has 6 cells, but the header has 5.'],
    ['open quotation mark', '2026-10-01,,1,usd,"x', 'Row 3 has a quotation mark that is not closed.'],
  ])('an invalid export is rejected with its row and column: %s', (_what, row, message) => {
    const csv = [HEADER, GOOD, row, GOOD].join('\n');
    expect(problemOf(() => read(csv))).toBe(`validation_error csv: ${message} Nothing was compared.`);
  });

  test.each(['1.5', '-1', 'many', '1e20'])('an invalid export is rejected for the count %s', (count) => {
    const csv = `usage_date_utc,model_version,usage_input_tokens_no_cache,usage_output_tokens\n2026-10-01,m,${count},1`;
    expect(problemOf(() => read(csv))).toContain(`Row 2 has '${count}' in the column 'usage_input_tokens_no_cache'`);
  });

  test('an invalid export is rejected if a sum is not an exact integer in JSON', () => {
    const row = '2026-10-01,m,900719925474099,1\n';
    const csv = `usage_date_utc,model_version,usage_input_tokens_no_cache,usage_output_tokens\n${row.repeat(11)}`;
    expect(problemOf(() => read(csv))).toContain('Row 12 makes the sum of input_tokens too large.');
  });

  test.each([
    [
      'a,b\n1,2',
      'auto',
      'csv: The first row is not the header of a cost or usage export of OpenAI or Anthropic. Found: a, b.',
    ],
    [
      'date,model\n1,2',
      'openai_costs',
      "csv: OpenAI's cost export needs a column with one of these names: amount_value, cost_in_major, amount_usd, cost_usd, amount, cost, total_cost. Found: date, model.",
    ],
    [
      'date,cost\n2026-10-01,2',
      'auto',
      "format: The columns fit several formats. Set 'format' to one of: openai_costs, anthropic_costs.",
    ],
    ['date,Cost,cost\n2026-10-01,2,3', 'openai_costs', "csv: Row 1 has two columns 'Cost'. Remove one of them."],
    ['date,cost', 'openai_costs', 'csv: The file has no rows below the header.'],
    ['', 'auto', 'csv: The file has no rows below the header.'],
    [
      'date,cost\n2025-01-01,1\n2026-10-01,1',
      'openai_costs',
      'csv: The rows are from 2025-01-01 to 2026-10-01. Export at most 366 days at once.',
    ],
  ] as const)('an invalid export is rejected with the columns that were found: %#', (csv, format, message) => {
    expect(problemOf(() => read(csv, format))).toBe(`validation_error ${message}`);
  });

  test('an export with more combinations of day and model than the result can have is rejected', () => {
    const rows = Array.from({ length: 10_001 }, (_, n) => `2026-10-01,,1,usd,model-${n}`);
    expect(problemOf(() => read([HEADER, ...rows].join('\n')))).toContain('more than 10000 combinations');
  });

  test('an error contains no control character of the file', () => {
    expect(problemOf(() => read('date\u001b[31m,\u202ex\n1,2'))).toContain('Found: date?[31m, ?x.');
  });

  test('an export with any part replaced is either read, or rejected with a validation error', () => {
    const change = fc.record({ at: fc.nat(), text: fc.string({ unit: fc.constantFrom(...'"\n,;-1e9.x ') }) });
    fc.assert(
      fc.property(fc.constantFrom(...EXPORT_FORMATS), change, (format, { at, text }) => {
        const csv = EXPORTS[format];
        const index = at % csv.length;
        expect(problemOf(() => read(csv.slice(0, index) + text + csv.slice(index + text.length)))).toMatch(
          /^(none|validation_error (csv|format): )/,
        );
      }),
      { numRuns: 500 },
    );
  });
});
