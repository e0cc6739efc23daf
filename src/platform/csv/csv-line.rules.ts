export type CsvCell = string | number | boolean | null | undefined;

/**
 * Returns a line of RFC 4180 that spreadsheets can open safely. Null and undefined are empty cells. Every export uses it, on the server
 * and in the dashboard, except those for programs only.
 *
 * It prevents CSV injection: clients choose model names and operators choose key names, and spreadsheets run text that starts like a
 * formula. An apostrophe is therefore added wherever a formula could start. That is the beginning, and each character after which
 * another reader could start a new cell.
 */
export const csvLine = (cells: readonly CsvCell[]): string => lineOf(cells.map(withoutFormula));

/** Returns a line of RFC 4180 with unchanged texts, for programs that compare them with other sources. */
export const exactCsvLine = (cells: readonly CsvCell[]): string => lineOf(cells);

const lineOf = (cells: readonly CsvCell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

/** Spreadsheets also accept full-width signs. */
const FORMULA_SIGN = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20]`;
/** Spreadsheets skip blanks, control characters and quotes before a formula. */
const SKIPPED = String.raw`[\s"\p{Cc}]*`;
/** Quotes do not protect these, because a reader with another separator sees a quote in the middle of its cell. */
const SEPARATORS = String.raw`;|\t\r\n\v\f\u0085\u2028\u2029`;
/** The sign is looked for first, so that the time is linear even for a long run of blanks. */
const FORMULA_STARTS = new RegExp(
  `^(?=${SKIPPED}${FORMULA_SIGN}|[\\t\\r\\n])|(?=${FORMULA_SIGN})(?<=[${SEPARATORS}]${SKIPPED})`,
  'gu',
);
const QUOTED = new RegExp(`[",${SEPARATORS}]`, 'u');

/** Amounts are text, because they are exact. A negative one is not a formula. */
const DECIMAL = /^-?\d+(\.\d+)?$/;

function withoutFormula(cell: CsvCell, column: number): CsvCell {
  if (typeof cell !== 'string') return cell;
  // Read with another separator, the first cell continues with the text of the next ones, so that `-1` could begin a formula.
  return column > 0 && DECIMAL.test(cell) ? cell : cell.replace(FORMULA_STARTS, "'");
}

function cellOf(cell: CsvCell): string {
  const text = String(cell ?? '');
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
