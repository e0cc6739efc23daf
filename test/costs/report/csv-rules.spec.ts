import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvLine } from '../../../src/costs/report/csv.rules.js';
import { anyText } from '../../support/any-text.js';

/** A reader of RFC 4180 for one line. */
function read(line: string): string[] {
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n$)/gy;
  for (let match = cell.exec(line); match !== null; match = cell.exec(line)) {
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2]!);
    if (match[3] !== ',') return cells;
  }
  throw new Error(`not a line of RFC 4180: ${JSON.stringify(line)}`);
}

describe('a CSV line', () => {
  test('quotes cells with commas, quotes and line breaks, and leaves null empty', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\r\nlines', null, 0, '0.0375'])).toBe(
      'a,"b,c","say ""hi""","two\r\nlines",,0,0.0375\r\n',
    );
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\n=1', ' =1', '"=1', '＝1', '－1'])(
    'puts an apostrophe before %j, which a spreadsheet could run as a formula',
    (text) => {
      expect(read(csvLine([text, 'x']))).toEqual([`'${text}`, 'x']);
    },
  );

  test('returns every text unchanged to a reader, except for the apostrophe before a formula', () => {
    fc.assert(
      fc.property(fc.array(anyText(), { minLength: 1, maxLength: 4 }), (texts) => {
        expect(read(csvLine(texts)).map((text) => text.replace(/^'/, ''))).toEqual(
          texts.map((text) => text.replace(/^'/, '')),
        );
      }),
    );
  });
});
