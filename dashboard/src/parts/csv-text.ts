/** A column of an exported table. */
export interface CsvColumn<T> {
  readonly name: string;
  readonly value: (row: T) => string | number | boolean | null | undefined;
}

/**
 * RFC 4180. What a spreadsheet would take for a formula begins with an apostrophe, also where one that splits at semicolons
 * or tabs would see the beginning of a cell.
 */
export function csvOf<T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string {
  const lines = [columns.map(({ name }) => name), ...rows.map((row) => columns.map(({ value }) => value(row)))];
  return lines.map((cells) => cells.map(cell).join(',')).join('\r\n') + '\r\n';
}

/** The signs that begin a formula, in full width too, and what may stand before them. */
const FORMULA = /(?<=^|[;\t\r\n])(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value.replace(FORMULA, "'") : String(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
