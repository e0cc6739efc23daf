import type { Environment } from './config.js';
import { SETTINGS } from './settings.data.js';

const PREFIX = 'GW_';
/** Letters that somebody gets wrong in one name. */
const MISTAKES_MAX = 3;
const KNOWN = Object.values(SETTINGS).map((setting) => setting.env);

/** Former settings, by the reason why they have no effect. */
const REMOVED: Readonly<Record<string, string>> = {
  REDIS_URL: 'PostgreSQL alone counts requests',
};

/** A sentence for each former setting that is still set, never with its value. */
export const removedSettings = (env: Environment): string[] =>
  Object.entries(REMOVED)
    .filter(([name]) => (env[name] ?? '') !== '')
    .map(([name, reason]) => `${name} is ignored: ${reason}`);

/** Variables that look like the gateway's and are not settings: they have no effect. */
export const strayNames = (env: Environment): string[] =>
  Object.keys(env).filter((name) => name.startsWith(PREFIX) && !KNOWN.includes(name));

/** The setting that was probably meant; null: none is like it. */
export function nearestSetting(name: string): string | null {
  const bare = name.slice(PREFIX.length);
  if (KNOWN.includes(bare)) return bare;
  const [nearest] = KNOWN.map((known) => ({ known, mistakes: mistakesBetween(name, known) })).sort(
    (a, b) => a.mistakes - b.mistakes,
  );
  return nearest !== undefined && nearest.mistakes <= MISTAKES_MAX ? nearest.known : null;
}

/** Letters to be put in, taken out or changed (Levenshtein). */
function mistakesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++)
      next.push(Math.min(row[j]! + (letter === other[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    row = next;
  }
  return row.at(-1)!;
}
