export interface CsvColumn<T> {
  readonly name: string;
  readonly value: (row: T) => string | number | boolean | null | undefined;
}

/**
 * Formats rows as CSV (RFC 4180). Text that a spreadsheet could run as a formula gets a leading apostrophe. This includes text
 * after a semicolon or tab, where some spreadsheets start a new cell.
 */
export function csvOf<T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string {
  const lines = [columns.map(({ name }) => name), ...rows.map((row) => columns.map(({ value }) => value(row)))];
  return lines.map((cells) => cells.map(cell).join(',')).join('\r\n') + '\r\n';
}

/** Matches the start of a formula, including full-width characters and preceding blanks or quotes. */
const FORMULA = /(?<=^|[;\t\r\n])(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value.replace(FORMULA, "'") : String(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
