/** Names come from elsewhere: nothing in them moves the cursor, changes colours or breaks the line. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');

const GAP = '  ';

/** Rows below a head, each column as wide as its longest cell; cells are made printable. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows.map((row) => row.map(printable))];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => lengthOf(line[column] ?? ''))));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, i) => pad(cell, widths[i] ?? 0))
          .join(GAP)
          .trimEnd()}\n`,
    )
    .join('');
}

interface Shown {
  /** Rows before the first one shown. */
  readonly offset: number;
  readonly total: number;
  /** What is said of a list without a row: `No API key.` */
  readonly none: string;
}

/** A page of a list: its table, and which rows of how many they are. */
export function pageText(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { offset, total, none }: Shown,
): string {
  if (total === 0) return `${none}\n`;
  if (rows.length === 0) return `None from --offset ${offset} on: ${total} in all.\n`;
  const next = offset + rows.length;
  const more = next < total ? ` The next ones: --offset ${next}` : '';
  return `${textTable(head, rows)}\n${offset + 1} to ${next} of ${total}.${more}\n`;
}

/** Names and values, one pair a line; values are made printable. */
export function textList(pairs: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `  ${name.padEnd(width)}  ${printable(value)}\n`).join('');
}

export const timeText = (time: Date | null): string =>
  time === null
    ? '-'
    : time
        .toISOString()
        .replace('T', ' ')
        .replace(/:\d\d\.\d{3}Z$/, 'Z');

const lengthOf = (text: string): number => [...text].length;
const pad = (text: string, width: number): string => text + ' '.repeat(width - lengthOf(text));
