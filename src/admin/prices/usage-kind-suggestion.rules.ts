import { USAGE_KIND_NAMES, type UsageKind } from '../../costs/usage-kinds.data.js';

const KINDS: ReadonlySet<string> = new Set(USAGE_KIND_NAMES);

export const isUsageKind = (name: string): name is UsageKind => KINDS.has(name);

/** Names of other tools and of the vendors, which people try first. */
const OTHER_NAMES: Readonly<Record<string, UsageKind>> = {
  prompt: 'input',
  input_tokens: 'input',
  prompt_tokens: 'input',
  completion: 'output',
  output_tokens: 'output',
  completion_tokens: 'output',
  cache_read: 'cached_input',
  cache_read_input: 'cached_input',
  cached_tokens: 'cached_input',
  cache_write: 'cache_write_5m',
  cache_creation_input: 'cache_write_5m',
};

/** Completes the message about an unknown kind with the nearest one. */
export function kindSuggestion(name: string): string {
  const lower = name.toLowerCase();
  const byDistance = USAGE_KIND_NAMES.map((kind) => ({ kind, distance: distanceOf(lower, kind) }));
  const [nearest] = byDistance.sort((a, b) => a.distance - b.distance);
  const kind = OTHER_NAMES[lower] ?? (nearest!.distance <= 1 + name.length / 3 ? nearest!.kind : undefined);
  return kind === undefined ? `the kinds are ${USAGE_KIND_NAMES.join(', ')}` : `did you mean '${kind}'`;
}

/** Levenshtein distance. Names are bounded, because longer ones have no near kind. */
function distanceOf(a: string, b: string): number {
  if (a.length > 2 * b.length) return a.length;
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++)
      row[j] = Math.min(row[j - 1]! + 1, before[j]! + 1, before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    before = row;
  }
  return before[b.length]!;
}
