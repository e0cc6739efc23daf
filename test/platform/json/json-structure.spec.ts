import { describe, expect, jest, test } from '@jest/globals';
import { endOfString } from '../../../src/platform/json/json-scan.js';
import {
  countStructure,
  ELEMENTS_MAX,
  excessIn,
  NAMES_MAX,
  structureOf,
} from '../../../src/platform/json/json-structure.js';

const BYTES = 10 * 1024 * 1024;
const list = (count: number, entry: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => entry(at)).join();
const fill = (piece: string): string => piece.repeat(Math.floor(BYTES / piece.length));
const excess = (text: string, elementsMax?: number) => {
  const body = Buffer.from(text);
  return excessIn(structureOf(body, elementsMax), elementsMax);
};
/** Longer than a text that is never counted. */
const padded = (text: string): string => text + ' '.repeat(70_000);

describe('excessIn', () => {
  test.each<[string, () => string]>([
    ['arrays in arrays', () => '['.repeat(BYTES / 2) + ']'.repeat(BYTES / 2)],
    ['objects in objects', () => fill('{"a":')],
    ['empty arrays', () => `[${fill('[],')}0]`],
    ['empty objects', () => `[${fill('{},')}0]`],
    ['small messages', () => `[${fill('{"role":"user","content":"x"},')}0]`],
    ['different names in one object', () => `{${list(600_000, (at) => `"k${at}":1`)}}`],
    ['different names in many objects', () => `[${list(600_000, (at) => `{"k${at}":1}`)}]`],
    ['names that V8 treats as indices', () => `{${list(600_000, (at) => `"${at * 16_384}":1`)}}`],
    ['one repeated name', () => `{${fill('"a":1,')}"a":1}`],
    ['empty names', () => `{${fill('"":1,')}"":1}`],
    ['names with escapes', () => `[${list(200_000, () => '{"\\u0061":1}')}]`],
    ['long different names', () => `{${list(10_200, (at) => `"${'k'.repeat(1000)}${at}":1`)}}`],
    ['short texts', () => `[${fill('"",')}""]`],
    ['numbers', () => `[${fill('1,')}1]`],
  ])('rejects 10 MB of %s', (_what, make) => expect(excess(make())).toMatch(/^more than \d+ /));

  test.each<[string, () => string]>([
    ['text', () => `["${'a'.repeat(BYTES)}"]`],
    ['text with quotes', () => `["${'\\"'.repeat(BYTES / 2)}"]`],
    ['whitespace', () => `[${' '.repeat(BYTES)}]`],
    ['digits', () => `[${'1'.repeat(BYTES)}]`],
    ['a repeated long name', () => list(9, () => `{"${'k'.repeat(1_000_000)}":1}`)],
    ['a million tokens as numbers', () => `[${list(1_000_000, (at) => String(100_000 + (at % 100_000)))}]`],
    // About a million tokens.
    [
      'a long conversation',
      () => `[${list(20_000, (at) => `{"role":"user","content":[{"type":"text","text":"${'x'.repeat(400)}${at}"}]}`)}]`,
    ],
    [
      'a thousand large tools',
      () =>
        `[${list(1_000, (at) => `{"name":"f${at}","input_schema":{"properties":{${list(20, (field) => `"p${at % 100}_${field}":{"type":"string"}`)}}}}`)}]`,
    ],
  ])('accepts 10 MB of %s', (_what, make) => expect(excess(make())).toBeNull());

  test('counts each array, object, field and text of a list as one element, and eight numbers as one', () => {
    for (const [unit, elements] of [
      ['[]', 1],
      ['{}', 1],
      ['{"a":1}', 2],
      ['{"a":"b"}', 2],
      ['"a"', 1],
      ['1', 0.125],
      ['[1]', 1],
      ['{"a":[]}', 3],
    ] as const) {
      const fits = Math.floor((ELEMENTS_MAX - 2) / elements);
      expect([unit, excess(padded(`[${list(fits, () => unit)}]`))]).toEqual([unit, null]);
      expect([unit, excess(padded(`[${list(fits + 24, () => unit)}]`))]).toEqual([
        unit,
        expect.stringMatching(/^more than/),
      ]);
    }
  });

  test('a field counts twice from 1,500 names on, and once more if names have escapes', () => {
    const fields = (count: number, names: number, prefix = 'k') =>
      excess(`[${list(count, (at) => `{"${prefix}${at % names}":1}`)}]`);
    expect(fields(70_000, 1_400)).toBeNull();
    expect(fields(70_000, 1_700)).not.toBeNull();
    expect(fields(48_000, 1_700)).toBeNull();
    expect(fields(48_000, 1_400, '\\u006b')).toBeNull();
    expect(fields(48_000, 1_700, '\\u006b')).not.toBeNull();
  });

  test('counts different names, and allows another number of elements', () => {
    const names = (count: number) => padded(`{${list(count, (at) => `"name ${at}":1`)}}`);
    expect(excess(names(NAMES_MAX - 10))).toBeNull();
    expect(excess(names(Math.ceil(NAMES_MAX * 1.05)))).toBe(`more than ${NAMES_MAX} different field names`);
    expect(countStructure(Buffer.from(names(5_000))).names).toBeGreaterThan(4_900);
    expect(countStructure(Buffer.from(`{${list(9_000, () => '"a":{"b":1}')}}`)).names).toBe(2);
    expect(excess(`[${list(300_000, () => '[]')}]`, 400_000)).toBeNull();
  });

  test('never rejects a body of at most 64 KiB', () => {
    expect(excess('['.repeat(65_536))).toBeNull();
    expect(excess(`{${list(9_000, (at) => `"${at}":1`)}`.slice(0, 65_536))).toBeNull();
  });
});

describe('endOfString', () => {
  test('searches for the closing quote in steps, however many quotes are escaped', () => {
    for (const text of ['\\"'.repeat(500_000), '\\\\'.repeat(500_000), `${'a'.repeat(63)}\\"`.repeat(15_000)]) {
      const bytes = Buffer.from(`"${text}"`);
      const searches = jest.spyOn(bytes, 'indexOf');
      expect(endOfString(bytes, 0)).toBe(bytes.length);
      expect(searches.mock.calls.length).toBeLessThan(bytes.length / 60);
    }
  });
});
