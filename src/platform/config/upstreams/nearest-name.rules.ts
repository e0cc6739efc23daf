const LENGTH_MAX = 64;

/** Returns the known name that was probably meant by an unknown one, or null. */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (name.length > LENGTH_MAX) return null;
  const [nearest] = known
    .map((each) => ({ each, distance: editDistance(name.toLowerCase(), each) }))
    .sort((a, b) => a.distance - b.distance);
  if (nearest === undefined) return null;
  const lengthMax = Math.max(name.length, nearest.each.length);
  return lengthMax >= 3 && nearest.distance <= Math.max(1, Math.floor(lengthMax / 3)) ? nearest.each : null;
}

/** Number of characters to insert, remove or replace. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++)
      next.push(Math.min(row[j]! + (letter === other[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    row = next;
  }
  return row.at(-1)!;
}
