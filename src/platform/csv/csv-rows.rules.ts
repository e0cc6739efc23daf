export interface CsvRow {
  /** As spreadsheets count: the header is row 1, and empty lines count. */
  readonly number: number;
  readonly cells: readonly string[];
  /** Follows "Row 7". A row with a problem is the last one. */
  readonly problem: string | null;
}

/** More than any export has. */
const CELLS_MAX = 500;
const DELIMITERS = [',', ';', '\t'] as const;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Reads CSV (RFC 4180) row by row, so that callers can pause. It accepts a byte order mark, any line ends, and semicolons or tabs
 * instead of commas. Rows without text are left out. It never throws.
 */
export function* csvRows(text: string): Generator<CsvRow, void> {
  const delimiter = delimiterOf(text);
  let at = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  for (let number = 1; at < text.length; number++) {
    const { cells, end, problem } = readRow(text, at, delimiter);
    at = end;
    if (problem === null && cells.every((cell) => cell.trim() === '')) continue;
    yield { number, cells, problem };
    if (problem !== null) return;
  }
}

/** The most frequent one in the first line with text. */
function delimiterOf(text: string): string {
  const start = text.search(/[^\s\ufeff]/);
  if (start === -1) return ',';
  const end = text.slice(start).search(/[\r\n]/);
  const line = end === -1 ? text.slice(start) : text.slice(start, start + end);
  const countOf = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
}

interface Row {
  readonly cells: string[];
  readonly end: number;
  readonly problem: string | null;
}

function readRow(text: string, start: number, delimiter: string): Row {
  const cells: string[] = [];
  const stop = (problem: string): Row => ({ cells, end: text.length, problem });
  let at = start;
  while (cells.length < CELLS_MAX) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, delimiter);
    if (cell === null) return stop('has a quotation mark that is not closed.');
    cells.push(cell.value);
    const { end } = cell;
    const next = text[end];
    if (next === undefined) return { cells, end, problem: null };
    if (text.startsWith('\r\n', end)) return { cells, end: end + 2, problem: null };
    if (next === '\r' || next === '\n') return { cells, end: end + 1, problem: null };
    if (next !== delimiter) return stop('has text after a closing quotation mark.');
    at = end + 1;
  }
  return stop(`has more than ${CELLS_MAX} cells.`);
}

interface Cell {
  readonly value: string;
  /** The index of the first character after the cell. */
  readonly end: number;
}

/** Returns null if the closing quotation mark is missing. A doubled quotation mark is part of the value. */
function quotedCell(text: string, start: number): Cell | null {
  let value = '';
  let at = start + 1;
  let quote = text.indexOf('"', at);
  while (quote !== -1 && text[quote + 1] === '"') {
    value += text.slice(at, quote + 1);
    at = quote + 2;
    quote = text.indexOf('"', at);
  }
  return quote === -1 ? null : { value: value + text.slice(at, quote), end: quote + 1 };
}

function plainCell(text: string, start: number, delimiter: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end++;
  return { value: text.slice(start, end), end };
}
