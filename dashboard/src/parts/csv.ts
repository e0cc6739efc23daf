import { csvLine, type CsvCell } from '../../../src/platform/csv/csv-line.rules';

export interface CsvColumn<T> {
  readonly name: string;
  readonly value: (row: T) => CsvCell;
}

/** Saves rows as a CSV file. The byte order mark makes spreadsheets read it as UTF-8. */
export function downloadCsv<T>(name: string, columns: readonly CsvColumn<T>[], rows: readonly T[]): void {
  const header = columns.map((column) => column.name);
  const lines = [header, ...rows.map((row) => columns.map(({ value }) => value(row)))].map(csvLine);
  const url = URL.createObjectURL(new Blob(['\ufeff', ...lines], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
