import { describe, expect, test } from 'vitest';
import { reportAt, reportIn, usageOf, type UsageShape } from '../../src/proxy/usage/usage-report.js';
import { NO_USAGE } from '../../src/request-context/token-usage.js';

const SHAPE: UsageShape = { member: 'usage', input: 'in', output: 'out' };
const OTHER: UsageShape = { member: 'meta', input: 'i', output: 'o' };
const reported = (text: string, objectAt = 0) => reportIn(Buffer.from(text), objectAt, [SHAPE, OTHER]);
/** What is made of a figure that is written so. */
const figure = (written: string) => reportAt(Buffer.from(`{"in":${written},"out":0}`), 0, SHAPE)?.input;

describe('a report', () => {
  test('is that of the first shape that has figures', () => {
    expect(reported('{"meta":{"i":3,"o":4},"usage":{"in":1,"out":2}}')).toEqual({ input: 1, output: 2 });
    expect(reported('{"meta":{"i":3,"o":4},"usage":{"x":1}}')).toEqual({ input: 3, output: 4 });
    expect(reported('{"meta":{"i":3}}')).toEqual({ input: 3, output: null });
    expect(reported('{"meta":{"o":4}}')).toEqual({ input: null, output: 4 });
    expect(reported('{"meta":{}}')).toBeNull();
  });

  test('is looked for in the object that is asked for alone', () => {
    expect(reported('{"a":1} {"usage":{"in":1,"out":2}}')).toBeNull();
    expect(reported('{"a":1} {"usage":{"in":1,"out":2}}', 8)).toEqual({ input: 1, output: 2 });
    // Of figures without a report around them nothing is taken.
    expect(reported('{"in":1,"out":2}')).toBeNull();
    expect(reported(' {"in":1,"out":2}')).toBeNull();
  });
});

describe('steps that the totals leave out', () => {
  const STEPS: UsageShape = { member: 'usage', input: 'in', output: 'out', steps: 'steps' };
  const read = (text: string) => reportAt(Buffer.from(text), 0, STEPS);
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
  ])('%s', (_what, text, input, output) => expect(read(text)).toEqual({ input, output }));

  test('are not looked for in a report of another shape', () => {
    expect(reported('{"usage":{"in":1,"out":2,"steps":[{"in":9,"out":9}]}}')).toEqual({ input: 1, output: 2 });
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
    expect(reportAt(Buffer.from(`{"in":${written},"out":1}`), 0, SHAPE)).toBeNull();
    expect(reportAt(Buffer.from(`{"in":1,"out":${written}}`), 0, SHAPE)).toBeNull();
  });

  test('that is missing, or whose end is, is none', () => {
    expect(reportAt(Buffer.from('{"in":1,"out":2'), 0, SHAPE)).toEqual({ input: 1, output: null });
    expect(reportAt(Buffer.from('{"out":2,"in":1'), 0, SHAPE)).toEqual({ input: null, output: 2 });
    expect(reportAt(Buffer.from('{"x":1}'), 0, SHAPE)).toBeNull();
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
