import { describe, expect, test } from '@jest/globals';
import { isComplete, merged, reportAt, usageOf, type FigureNames } from '../../src/proxy/metering/usage-report.js';
import { NO_USAGE } from '../../src/request-context/token-usage.js';

const NAMES: FigureNames = { input: ['in', 'i'], output: ['out', 'o'] };
const read = (text: string, names = NAMES) => reportAt(Buffer.from(text), 0, names);
/** The input figure that is written so. */
const figure = (written: string) => read(`{"in":${written},"out":0}`)?.input;

describe('a report', () => {
  test('has the figures with the preferred names, and the others if those are missing or 0', () => {
    expect(read('{"i":3,"o":4,"in":1,"out":2}')).toEqual({ input: 1, output: 2 });
    expect(read('{"i":3,"o":4,"in":0,"out":0}')).toEqual({ input: 3, output: 4 });
    expect(read('{"in":1,"o":4}')).toEqual({ input: 1, output: 4 });
    expect(read('{"in":0,"i":0,"o":0}')).toEqual({ input: 0, output: 0 });
  });

  test('can have one figure, and is absent without any', () => {
    expect(read('{"i":3}')).toEqual({ input: 3, output: null });
    expect(read('{"o":4}')).toEqual({ input: null, output: 4 });
    for (const text of ['{}', '{"x":1}', '[]', '"in"', '3', '']) expect([text, read(text)]).toEqual([text, null]);
  });

  test('has no output if the responses have none', () => {
    expect(read('{"in":3,"out":4}', { input: ['in'], output: [] })).toEqual({ input: 3, output: null });
  });

  test('is complete if neither figure is missing or 0', () => {
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

describe('a report that follows another one', () => {
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
  ])('%j, then %j: %j', (known, next, expected) => {
    expect(merged(known, next, false)).toEqual(expected);
    expect(merged(known, next, true)).toEqual(expected);
  });

  test('and has one figure does not change a complete one, unless reports come in parts', () => {
    expect(merged(of(10, 5), of(null, 7), false)).toEqual(of(10, 5));
    expect(merged(of(10, 5), of(12, null), false)).toEqual(of(10, 5));
    expect(merged(of(10, 5), of(null, 7), true)).toEqual(of(10, 7));
    expect(merged(of(10, 5), of(12, null), true)).toEqual(of(12, 5));
  });

  test('is all that is known if it is the first', () => {
    expect(merged(null, of(0, 0), false)).toEqual(of(0, 0));
    expect(merged(null, of(null, 3), true)).toEqual(of(null, 3));
  });
});

describe('steps that the totals leave out', () => {
  const STEPS: FigureNames = { ...NAMES, steps: 'steps' };
  test.each<[string, string, number, number]>([
    ['count where they come to more', '{"in":10,"out":20,"steps":[{"in":180,"out":5},{"in":10,"out":20}]}', 190, 25],
    ['count for each figure by itself', '{"in":10,"out":20,"steps":[{"in":11,"out":1}]}', 11, 20],
    ['stand before the figures too', '{"steps":[{"in":3},{"out":4},null,7,{"in":"x","out":-1}],"in":1,"out":1}', 3, 4],
    ['never make it less', '{"in":10,"out":20,"steps":[{"in":1,"out":2}]}', 10, 20],
    ['are none: []', '{"in":10,"out":20,"steps":[]}', 10, 20],
    ['are none: null', '{"in":10,"out":20,"steps":null}', 10, 20],
    ['are none: no JSON', '{"in":10,"out":20,"steps":[{]}', 10, 20],
    ['are none: not whole', '{"in":10,"out":20,"steps":[{"in":100,"out":100}', 10, 20],
    ['are bounded', `{"in":1,"out":2,"steps":[{"in":2e9,"out":2e9},{"in":2e9,"out":1}]}`, 2_147_483_647, 2_000_000_001],
    ['are none where they cannot be', `{"in":1,"out":2,"steps":[{"in":1e308,"out":3},{"in":4,"out":1e300}]}`, 4, 3],
    ['are too long to be any', `{"in":1,"out":2,"steps":[{"in":9,"x":"${'x'.repeat(65_536)}"}]}`, 1, 2],
  ])('%s', (_what, text, input, output) => expect(read(text, STEPS)).toEqual({ input, output }));

  test('are ignored where reports have none', () => {
    expect(read('{"in":1,"out":2,"steps":[{"in":9,"out":9}]}')).toEqual({ input: 1, output: 2 });
  });
});

describe('a figure', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['7', 7],
    ['1e3', 1000],
    ['1.0', 1],
    ['2147483647', 2_147_483_647],
  ])('%s counts as %i', (written, tokens) => {
    expect(Object.is(figure(written), tokens)).toBe(true);
  });

  test.each([
    '-1',
    '1.5',
    '+7',
    '""',
    '"7"',
    'null',
    'true',
    'false',
    '[]',
    '[3]',
    '{}',
    'NaN',
    '1e999',
    '9'.repeat(33),
  ])('is not %s', (written) => {
    expect(figure(written)).toBeNull();
  });

  test.each(['2147483648', '1e308', '9'.repeat(32)])('that cannot be, as %s, makes its report none', (written) => {
    expect(read(`{"in":${written},"out":1}`)).toBeNull();
    expect(read(`{"in":1,"out":${written}}`)).toBeNull();
  });

  test('that is missing, or whose end is, is none', () => {
    expect(read('{"in":1,"out":2')).toEqual({ input: 1, output: null });
    expect(read('{"out":2,"in":1')).toEqual({ input: null, output: 2 });
    expect(read('{"x":1}')).toBeNull();
  });
});

describe('figures', () => {
  test.each([
    [{ input: 1, output: 2 }, true, 'reported'],
    [{ input: 1, output: 2 }, false, 'reported'],
    [{ input: 0, output: 0 }, false, 'reported'],
    [{ input: 1, output: null }, true, 'reported'],
    [{ input: null, output: 2 }, true, 'reported'],
    [{ input: 1, output: null }, false, 'partial'],
    [{ input: null, output: 2 }, false, 'partial'],
  ])('%j of an answer that came whole (%j) are %s', (figures, whole, provenance) => {
    expect(usageOf(figures, whole)).toEqual({
      ...{ inputTokens: figures.input ?? 0, outputTokens: figures.output ?? 0, provenance },
    });
  });

  test('that nobody has told are no usage', () => {
    expect([usageOf(null, true), usageOf(null, false)]).toEqual([NO_USAGE, NO_USAGE]);
  });
});
