import { describe, expect, test } from '@jest/globals';
import { bufferedReport } from '../../../src/proxy/metering/buffered-usage.js';
import {
  decodeString,
  endOfValue,
  isString,
  fieldAt,
  skipSpace,
  startOfString,
  endOfString,
} from '../../../src/platform/json/json-scan.js';
import type { UsageReader } from '../../../src/proxy/metering/usage-formats.data.js';
import { NO_USAGE } from '../../../src/platform/request-context/token-usage.js';
import { reported } from '../../support/metered.js';

/** Texts of every length around 64 bytes, where the search method changes, with every end that could be misread. */
const TEXTS = [0, 1, 40, ...Array.from({ length: 12 }, (_, at) => 58 + at), 200].flatMap((length) =>
  ['', '"', '\\', '\\"', '"\\', '\\\\', '\\\\"', ',"a":1', '}'].map((end) => 'x'.repeat(length) + end),
);
const VALUES: readonly unknown[] = [1, -1.5e9, true, null, [], {}, [[1, { a: 2 }], '}'], { a: { b: [] } }, ...TEXTS];
const SPACES = ['', ' ', '\t', '\n', '\r\n \t'];

const spaced = (fields: readonly (readonly [string, unknown])[], space: string) =>
  `{${space}${fields.map(([name, value]) => `${name}${space}:${space}${JSON.stringify(value)}${space}`).join(`,${space}`)}}`;
/** Returns the parsed value of the field, or undefined if it is not found. */
function found(text: string, name: string, before = ''): unknown {
  const bytes = Buffer.from(before + text);
  const at = fieldAt(bytes, before.length, name);
  return at === -1 ? undefined : JSON.parse(bytes.toString('utf8', at, endOfValue(bytes, at)));
}

describe('fieldAt and endOfValue', () => {
  test.each(SPACES)('finds a field after any other field, with the whitespace %j', (space) => {
    for (const value of VALUES) {
      const text = spaced(
        [
          ['"b"', value],
          ['"a"', value],
          ['"a"', 7],
        ],
        space,
      );
      expect([text, found(text, 'a'), found(text, 'b', 'data: '), found(text, 'c')]).toEqual([
        text,
        value,
        value,
        undefined,
      ]);
    }
  });

  test.each(['"\\u0061bc"', '"a\\u0062c"', '"\\u0061\\u0062\\u0063"'])(
    'finds the field "abc" written as %s',
    (name) => {
      expect(found(`{"abcd":1,"ab":2,"xbc":3,"\\u0078bc":4,${name}:5}`, 'abc')).toBe(5);
    },
  );

  test.each([
    '',
    '[]',
    '"a"',
    '{',
    '{}',
    '{ ',
    '{"a',
    '{"a"',
    '{"a" ',
    '{"a":',
    '{"a": ',
    '{"a" 1}',
    '{"a"x1}',
    '{a:1}',
    '{"b":1 "a":1}',
    '{"b":"x";"a":1}',
    '{xa":1}',
    'x"a":1}',
    '{"b":1}',
    '{"b":1,',
    '{"b":"',
    '{"b":[',
    '{"b":1',
    '{"b":}',
    '{"b":,"a":1}',
    '{"b":{"a":1}}',
    '{"b":1;"a":1}',
    '{"\\u006":1}',
  ])('finds no field "a" in %j', (text) => expect(fieldAt(Buffer.from(text), 0, 'a')).toBe(-1));

  test.each([
    '12',
    'tru',
    '"x',
    '"\\"',
    '[1',
    '{"a":1',
    '["]',
    '',
    ',',
    `"${'x'.repeat(90)}`,
    `"${'x'.repeat(90)}\\"`,
    `[${'"'}${'x'.repeat(80)}`,
  ])('the value %j is incomplete', (text) => expect(endOfValue(Buffer.from(text), 0)).toBe(-1));

  test.each([',', '}', ']', ' ', '\t', '\r', '\n'])('a number ends with %j', (end) =>
    expect(endOfValue(Buffer.from(`12${end}`), 0)).toBe(2),
  );
});

describe('JSON strings', () => {
  test('finds a string from either end and decodes it', () => {
    for (const value of TEXTS.concat('é🌍', '"'.repeat(150), '\\'.repeat(150))) {
      for (const before of ['', '{', '"":'.repeat(40)]) {
        const text = JSON.stringify(value);
        const bytes = Buffer.from(`${before}${text}:1`);
        const end = before.length + Buffer.byteLength(text);
        expect([text, endOfString(bytes, before.length), startOfString(bytes, end - 1)]).toEqual([
          text,
          end,
          before.length,
        ]);
        expect(decodeString(bytes, before.length, end)).toBe(value);
      }
    }
    for (const text of ['x"', '"', `${'x'.repeat(100)}"`, `\\"${'x'.repeat(100)}"`, '\\""']) {
      expect([text, startOfString(Buffer.from(text), text.length - 1)]).toEqual([text, -1]);
    }
    expect(decodeString(Buffer.from('"\\x"'), 0, 4)).toBeNull();
  });

  test('isString compares a name exactly, with or without escapes', () => {
    const isAb = (text: string) => isString(Buffer.from(text), 0, Buffer.byteLength(text), 'ab');
    expect(['"ab"', '"\\u0061b"', '"a\\u0062"', '"\\u0061\\u0062"'].map(isAb)).toEqual([true, true, true, true]);
    expect(
      ['"a"', '"abc"', '"xb"', '"ax"', '""', '"\\u0061\\u0062c"', '"\\u0062b"', '"a\\n"', '"\\x6162"'].some(isAb),
    ).toBe(false);
  });

  test('skipSpace skips only JSON whitespace', () => {
    expect(skipSpace(Buffer.from(' \t\r\n \v'), 0)).toBe(5);
    expect(skipSpace(Buffer.from('x  '), 1)).toBe(3);
  });
});

describe('search for a usage report from the end of a response', () => {
  const reader: UsageReader = { estimates: 'nothing', input: ['in'], output: ['out'] };
  const report = (text: string) => bufferedReport(Buffer.from(text), reader).usage;
  const ONE_TWO = reported(1, 2);
  const USAGE = '{"in":1,"out":2}';

  test.each(SPACES)('finds a report between any other fields, with the whitespace %j', (space) => {
    for (const value of VALUES) {
      const text =
        spaced(
          [
            ['"a"', value],
            ['"usage"', { in: 1, out: 2 }],
            ['"b"', value],
          ],
          space,
        ) + space;
      const tail = text.slice(text.indexOf('"usage"'));
      expect([text, report(text), report(tail)]).toEqual([text, ONE_TWO, ONE_TWO]);
    }
  });

  test('finds the last report, and only in the outermost object', () => {
    expect(report(`{"usage":{"in":3,"out":4},"usage":${USAGE}}`)).toEqual(ONE_TWO);
    expect(report(`{"usage":${USAGE},"a":"usage"}`)).toEqual(ONE_TWO);
    for (const text of [
      `{"a":{"usage":${USAGE}}}`,
      `{"a":["usage",${USAGE}]}`,
      `{"a":"usage","b":${USAGE}}`,
      `{"usage":7}`,
      '{"usage"}',
      '',
      '   ',
      '}',
      '"usage"',
      '{"usagE":1}',
      `{"x":${USAGE}}"usage":${USAGE}`,
      `usage":${USAGE},"b":["usage"]}`,
      ...['', '['].flatMap((cut) => [`${cut}${USAGE},"usage"]`, `${cut}${USAGE},"usage"],"b":2}`]),
    ]) {
      expect([text, report(text)]).toEqual([text, NO_USAGE]);
    }
  });

  test('searches from the beginning if the response is not one complete object', () => {
    for (const text of [
      `[{"usage":${USAGE}}]`,
      `{"usage":${USAGE}`,
      `{"usage":${USAGE}}x`,
      `{"usage":${USAGE}}\n{"b":1}`,
      `{"b":1}\n{"usage":${USAGE}}\n{"c":`,
    ]) {
      expect([text, report(text)]).toEqual([text, ONE_TWO]);
    }
  });
});
