import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvRows, type CsvRow } from '../../../src/platform/csv/csv-rows.rules.js';

const cellsOf = (text: string) => [...csvRows(text)].map(({ cells }) => cells);
const rowsOf = (text: string): CsvRow[] => [...csvRows(text)];

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const written = (cell: string) => (/[",;\t\r\n]/.test(cell) ? quoted(cell) : cell);

describe('CSV rows', () => {
  test('CSV rows are read from quotes, doubled quotes, embedded line ends and any line end', () => {
    expect(cellsOf('a,"b ""c"""\r\n"d\r\ne",f\ng,h\ri,')).toEqual([
      ['a', 'b "c"'],
      ['d\r\ne', 'f'],
      ['g', 'h'],
      ['i', ''],
    ]);
  });

  test('CSV rows do not depend on a byte order mark', () => {
    expect(cellsOf('\ufeff"a",b\n1,2')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  test.each([',', ';', '\t'])('CSV rows can be separated by %j', (delimiter) => {
    expect(cellsOf(`a${delimiter}b${delimiter}c\n1${delimiter}2${delimiter}3`)).toEqual([
      ['a', 'b', 'c'],
      ['1', '2', '3'],
    ]);
  });

  test('CSV rows are numbered like rows of a spreadsheet, in which empty lines count', () => {
    const rows = rowsOf('\n"a\nb",c\n\n , \nd,e\n\n');
    expect(rows.map(({ number, cells }) => [number, cells[1]])).toEqual([
      [2, 'c'],
      [5, 'e'],
    ]);
  });

  test.each([
    ['a,b\n1,"2', 'has a quotation mark that is not closed.'],
    ['a,b\n1,"2"3', 'has text after a closing quotation mark.'],
    [`a,b\n${','.repeat(500)}`, 'has more than 500 cells.'],
  ])('an invalid CSV row is reported as the last row: %#', (text, problem) => {
    expect(rowsOf(text).map((row) => [row.number, row.problem])).toEqual([
      [1, null],
      [2, problem],
    ]);
  });

  test('CSV rows contain exactly the cells that were written, regardless of their text', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', '\n', '\r', ' ', '😀'),
      maxLength: 8,
    });
    const row = fc
      .array(text, { minLength: 2, maxLength: 6 })
      .filter((cells) => cells.some((cell) => cell.trim() !== ''));
    const line = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), line, fc.boolean(), (rows, end, mark) => {
        const head = 'h,h,h,h,h,h,h';
        const lines = [head, ...rows.map((cells) => cells.map(written).join(','))];
        const csv = (mark ? '\ufeff' : '') + lines.join(end) + end;
        expect(cellsOf(csv)).toEqual([head.split(','), ...rows]);
      }),
      { numRuns: 500 },
    );
  });

  test('CSV rows are bounded by the text and never throw, for any text', () => {
    const noise = fc.string({
      unit: fc.constantFrom('a', '1', '"', ',', ';', '\t', '\n', '\r', '\ufeff', '\0', '\ud800'),
    });
    fc.assert(
      fc.property(fc.oneof(noise, fc.string({ unit: 'binary' })), (text) => {
        const rows = rowsOf(text);
        expect(rows.flatMap(({ cells }) => cells).join('').length).toBeLessThanOrEqual(text.length);
        expect(rows.slice(0, -1).every(({ problem }) => problem === null)).toBe(true);
        expect(rows.map(({ number }) => number)).toEqual(rows.map(({ number }) => number).toSorted((a, b) => a - b));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['quotation marks', '"'.repeat(4_000_000)],
    ['delimiters', ','.repeat(4_000_000)],
    ['line ends', '\n'.repeat(4_000_000)],
    ['one cell', 'x'.repeat(4_000_000)],
  ])('CSV rows of 4 MB of %s are read', (_what, text) => {
    // Work that grows with the square of the length would not end.
    rowsOf(text);
  });
});
