export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column] + 3))).join('');
  return [line(rows[0]), '-'.repeat(line(rows[0]).length), ...rows.slice(1).map(line)]
    .map((text) => `  ${text}`)
    .join('\n');
}

export function number(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

export const mebibytes = (bytes) => number(bytes / 2 ** 20);
