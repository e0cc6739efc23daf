import type { Environment } from './config.js';
import { fileVariable } from './secret-files.js';
import { SETTINGS, type Setting } from './settings.data.js';
import { editDistance } from './upstreams/nearest-name.rules.js';

const PREFIX = 'GW_';
const EDIT_DISTANCE_MAX = 3;
const all: readonly Setting<unknown>[] = Object.values(SETTINGS);
const KNOWN = all.flatMap(({ env, secret }) => (secret === true ? [env, fileVariable(env)] : [env]));

const REMOVED: Readonly<Record<string, string>> = {
  REDIS_URL: 'the gateway counts requests in PostgreSQL only',
};

export const removedSettings = (env: Environment): string[] =>
  Object.entries(REMOVED)
    .filter(([name]) => (env[name] ?? '') !== '')
    .map(([name, reason]) => `${name} is ignored: ${reason}`);

export const unknownSettings = (env: Environment): string[] =>
  Object.keys(env).filter((name) => name.startsWith(PREFIX) && !KNOWN.includes(name));

export function nearestSetting(name: string): string | null {
  const bare = name.slice(PREFIX.length);
  if (KNOWN.includes(bare)) return bare;
  const [nearest] = KNOWN.map((known) => ({ known, distance: editDistance(name, known) })).sort(
    (a, b) => a.distance - b.distance,
  );
  return nearest !== undefined && nearest.distance <= EDIT_DISTANCE_MAX ? nearest.known : null;
}
