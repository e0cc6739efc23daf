/** Replaces control characters, so that a stored name cannot move the cursor, change colors or break the line. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');

const GAP = '  ';

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
  readonly offset: number;
  readonly total: number;
  readonly none: string;
}

export function pageText(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { offset, total, none }: Shown,
): string {
  if (total === 0) return `${none}\n`;
  if (rows.length === 0) return `--offset ${offset} is past the end of the list (total: ${total}).\n`;
  const next = offset + rows.length;
  const more = next < total ? ` Next page: --offset ${next}` : '';
  return `${textTable(head, rows)}\n${offset + 1} to ${next} of ${total}.${more}\n`;
}

export function textList(pairs: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `  ${name.padEnd(width)}  ${printable(value)}\n`).join('');
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const timeText = (time: Date | null): string =>
  time === null
    ? '-'
    : time
        .toISOString()
        .replace('T', ' ')
        .replace(/:\d\d\.\d{3}Z$/, 'Z');

const lengthOf = (text: string): number => [...text].length;
const pad = (text: string, width: number): string => text + ' '.repeat(width - lengthOf(text));
