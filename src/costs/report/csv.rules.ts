/** Matches text that a spreadsheet could run as a formula, also with full-width signs. */
const FORMULA = /^(?:[\t\r\n]|[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

export type CsvCell = string | number | null;

/**
 * A line of RFC 4180. Null is an empty cell. Text that a spreadsheet could run gets an apostrophe in front, because clients choose
 * the names of models and operators those of keys.
 */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
