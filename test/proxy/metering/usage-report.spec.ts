import { describe, expect, test } from '@jest/globals';
import {
  isComplete,
  merged,
  reportIn,
  usageObjectAt,
  usageOf,
  type TokenCountFields,
} from '../../../src/proxy/metering/usage-report.js';
import { NO_USAGE } from '../../../src/platform/request-context/token-usage.js';

const NAMES: TokenCountFields = { input: ['in', 'i'], output: ['out', 'o'] };
const read = (text: string, names = NAMES) => reportIn(usageObjectAt(Buffer.from(text), 0), names);
const inputCount = (json: string) => read(`{"in":${json},"out":0}`)?.input;

describe('reportIn', () => {
  test('reads the fields with the preferred names, and the others if those are missing or 0', () => {
    expect(read('{"i":3,"o":4,"in":1,"out":2}')).toEqual({ input: 1, output: 2 });
    expect(read('{"i":3,"o":4,"in":0,"out":0}')).toEqual({ input: 3, output: 4 });
    expect(read('{"in":1,"o":4}')).toEqual({ input: 1, output: 4 });
    expect(read('{"in":0,"i":0,"o":0}')).toEqual({ input: 0, output: 0 });
  });

  test('a report can have a single count, and is null without any', () => {
    expect(read('{"i":3}')).toEqual({ input: 3, output: null });
    expect(read('{"o":4}')).toEqual({ input: null, output: 4 });
    for (const text of ['{}', '{"x":1}', '[]', '"in"', '3', '']) expect([text, read(text)]).toEqual([text, null]);
  });

  test('a missing output is the part of the total that is not input', () => {
    expect(read('{"in":3,"total_tokens":10}')).toEqual({ input: 3, output: 7 });
    expect(read('{"in":3,"out":2,"total_tokens":10}')).toEqual({ input: 3, output: 2 });
    for (const total of ['3', '2', '-1', '"10"', '1e400', 'null'])
      expect(read(`{"in":3,"total_tokens":${total}}`)).toEqual({ input: 3, output: null });
    expect(read('{"in":3,"total_tokens":10}', { input: ['in'], output: [] })).toEqual({ input: 3, output: null });
    expect(read('{"in":3,"total_tokens":2147483659}')).toBeNull();
  });

  test('a report has no output if the reader has no output fields', () => {
    expect(read('{"in":3,"out":4}', { input: ['in'], output: [] })).toEqual({ input: 3, output: null });
  });

  test('a report is complete if neither count is missing or 0', () => {
    const reports = [
      { input: 1, output: 2 },
      { input: 0, output: 2 },
      { input: 1, output: 0 },
      { input: null, output: 2 },
      { input: 1, output: null },
    ];
    expect(reports.map(isComplete)).toEqual([true, false, false, false, false]);
  });
});

describe('merged', () => {
  const of = (input: number | null, output: number | null) => ({ input, output });

  test.each([
    [of(10, 5), of(12, 7), of(12, 7)],
    [of(10, 5), of(0, 0), of(10, 5)],
    [of(10, 5), of(0, 7), of(10, 7)],
    [of(10, 0), of(0, 7), of(10, 7)],
    [of(10, 0), of(null, 7), of(10, 7)],
    [of(10, null), of(0, 0), of(10, 0)],
    [of(10, null), of(null, 7), of(10, 7)],
    [of(0, 0), of(0, 0), of(0, 0)],
    [of(0, 0), of(3, null), of(3, 0)],
  ])('merges %j and then %j into %j', (known, next, expected) => {
    expect(merged(known, next, false)).toEqual(expected);
    expect(merged(known, next, true)).toEqual(expected);
  });

  test('a report with a single count does not change a complete one unless reports come in parts', () => {
    expect(merged(of(10, 5), of(null, 7), false)).toEqual(of(10, 5));
    expect(merged(of(10, 5), of(12, null), false)).toEqual(of(10, 5));
    expect(merged(of(10, 5), of(null, 7), true)).toEqual(of(10, 7));
    expect(merged(of(10, 5), of(12, null), true)).toEqual(of(12, 5));
  });

  test('returns the first report unchanged', () => {
    expect(merged(null, of(0, 0), false)).toEqual(of(0, 0));
    expect(merged(null, of(null, 3), true)).toEqual(of(null, 3));
  });
});

describe('steps of a report', () => {
  const STEPS: TokenCountFields = { ...NAMES, steps: 'steps' };
  test.each<[string, string, number, number]>([
    [
      'sums up steps that exceed the totals',
      '{"in":10,"out":20,"steps":[{"in":180,"out":5},{"in":10,"out":20}]}',
      190,
      25,
    ],
    ['compares input and output with their sums separately', '{"in":10,"out":20,"steps":[{"in":11,"out":1}]}', 11, 20],
    [
      'reads steps that precede the totals, and skips invalid ones',
      '{"steps":[{"in":3},{"out":4},null,7,{"in":"x","out":-1}],"in":1,"out":1}',
      3,
      4,
    ],
    ['keeps totals that exceed the sums', '{"in":10,"out":20,"steps":[{"in":1,"out":2}]}', 10, 20],
    ['ignores an empty array of steps', '{"in":10,"out":20,"steps":[]}', 10, 20],
    ['ignores steps of null', '{"in":10,"out":20,"steps":null}', 10, 20],
    ['ignores steps that are not valid JSON', '{"in":10,"out":20,"steps":[{]}', 10, 20],
    ['ignores truncated steps', '{"in":10,"out":20,"steps":[{"in":100,"out":100}', 10, 20],
    [
      'limits the sums to the maximum',
      `{"in":1,"out":2,"steps":[{"in":2e9,"out":2e9},{"in":2e9,"out":1}]}`,
      2_147_483_647,
      2_000_000_001,
    ],
    [
      'ignores counts above the maximum in steps',
      `{"in":1,"out":2,"steps":[{"in":1e308,"out":3},{"in":4,"out":1e300}]}`,
      4,
      3,
    ],
    ['ignores steps that end after 128 KiB', `{"in":1,"out":2,"steps":[{"in":9,"x":"${'x'.repeat(131_072)}"}]}`, 1, 2],
  ])('%s', (_what, text, input, output) => expect(read(text, STEPS)).toEqual({ input, output }));

  test('ignores steps if the reader has no field for them', () => {
    expect(read('{"in":1,"out":2,"steps":[{"in":9,"out":9}]}')).toEqual({ input: 1, output: 2 });
  });
});

describe('a token count', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['7', 7],
    ['1e3', 1000],
    ['1.0', 1],
    ['2147483647', 2_147_483_647],
  ])('reads %s as %i', (json, tokens) => {
    expect(Object.is(inputCount(json), tokens)).toBe(true);
  });

  test.each(['-1', '1.5', '+7', '""', '"7"', 'null', 'true', 'false', '[]', '[3]', '{}', 'NaN', '1e999'])(
    'rejects %s as a token count',
    (json) => {
      expect(inputCount(json)).toBeNull();
    },
  );

  test.each(['2147483648', '1e308', '9'.repeat(33)])('discards a report with a count of %s', (json) => {
    expect(read(`{"in":${json},"out":1}`)).toBeNull();
    expect(read(`{"in":1,"out":${json}}`)).toBeNull();
  });

  test('a count that is missing or might be truncated is null', () => {
    expect(read('{"in":1,"out":2')).toEqual({ input: 1, output: null });
    expect(read('{"out":2,"in":1')).toEqual({ input: null, output: 2 });
    expect(read('{"x":1}')).toBeNull();
  });
});

describe('usageOf', () => {
  test.each([
    [{ input: 1, output: 2 }, true, 'reported'],
    [{ input: 1, output: 2 }, false, 'reported'],
    [{ input: 0, output: 0 }, false, 'reported'],
    [{ input: 1, output: null }, true, 'reported'],
    [{ input: null, output: 2 }, true, 'reported'],
    [{ input: 1, output: null }, false, 'partial'],
    [{ input: null, output: 2 }, false, 'partial'],
  ])('the report %j of a response (whole: %j) has the provenance %s', (report, whole, provenance) => {
    expect(usageOf(report, whole)).toEqual({
      inputTokens: report.input ?? 0,
      outputTokens: report.output ?? 0,
      provenance,
    });
  });

  test('a response without a report has no usage', () => {
    expect([usageOf(null, true), usageOf(null, false)]).toEqual([NO_USAGE, NO_USAGE]);
  });
});
