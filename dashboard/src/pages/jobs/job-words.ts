import type { components } from '../../api/schema';
import { count, latency } from '../../parts/numbers';

export type JobRun = components['schemas']['JobRunResponse'];

export const JOB_NAMES: Readonly<Record<JobRun['job'], string>> = {
  daily: 'Daily job',
  probes: 'Probes of models',
};

/** Counts whose name does not say it all. */
const NAMED: Readonly<Record<string, string>> = {
  keys_looked_at: 'keys looked at',
  key_expiring_soon: 'events “key expires soon”',
  key_expired: 'events “key expired”',
  key_quota_warning: 'events “80 % of monthly requests”',
  key_quota_exceeded: 'events “monthly requests used up”',
  key_token_quota_warning: 'events “80 % of monthly tokens”',
  key_token_quota_exceeded: 'events “monthly tokens used up”',
  partitions_made: 'partitions made',
  tables_vacuumed: 'tables vacuumed',
  models: 'models probed',
  failed: 'models that failed',
};

/** Of a table: `request_logs_deleted`. */
const OF_TABLE: readonly { readonly end: string; readonly words: (table: string) => string }[] = [
  { end: '_months_dropped', words: (table) => `whole months of ${table} dropped` },
  { end: '_months_left', words: (table) => `whole months of ${table} left for the next run` },
  { end: '_deleted', words: (table) => `pruned ${table}` },
  { end: '_left', words: (table) => `left in ${table} for the next run` },
];

/** What a run did, in words: `pruned request_logs 1,200`. A name that a newer gateway has is shown as it is. */
export function countsOf({ counts }: Pick<JobRun, 'counts'>): string[] {
  return Object.entries(counts)
    .sort(([one], [other]) => placeOf(one) - placeOf(other) || one.localeCompare(other))
    .map(([name, value]) => `${wordsOf(name)} ${count(value)}`);
}

/** In the order in which a run does it: keys first, what was pruned after what is known by name. */
function placeOf(name: string): number {
  const place = Object.keys(NAMED).indexOf(name);
  return place === -1 ? Object.keys(NAMED).length : place;
}

function wordsOf(name: string): string {
  const known = NAMED[name];
  if (known !== undefined) return known;
  const ofTable = OF_TABLE.find(({ end }) => name.endsWith(end));
  return ofTable === undefined ? name.replaceAll('_', ' ') : ofTable.words(name.slice(0, -ofTable.end.length));
}

/** Milliseconds; null while it runs. */
export function durationMsOf({ started_at, finished_at }: Pick<JobRun, 'started_at' | 'finished_at'>): number | null {
  return finished_at === null ? null : Math.max(0, Date.parse(finished_at) - Date.parse(started_at));
}

/** `340 ms`, `2.4 s`, `12 min`. */
export function durationOf(run: Pick<JobRun, 'started_at' | 'finished_at'>): string {
  const ms = durationMsOf(run);
  if (ms === null || ms < 120_000) return latency(ms);
  return ms < 7_200_000 ? `${count(Math.round(ms / 60_000))} min` : `${count(Math.round(ms / 3_600_000))} h`;
}
