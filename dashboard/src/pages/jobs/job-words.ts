import type { components } from '../../api/schema';
import { count, latency } from '../../parts/numbers';

export type JobRun = components['schemas']['JobRunResponse'];

export const JOB_NAMES: Readonly<Record<JobRun['job'], string>> = {
  daily: 'Daily job',
  probes: 'Model probes',
};

const NAMED: Readonly<Record<string, string>> = {
  keys_looked_at: 'keys checked',
  key_expiring_soon: '“Key expires soon” events',
  key_expired: '“Key expired” events',
  key_quota_warning: '“Monthly requests at 80%” events',
  key_quota_exceeded: '“Monthly requests used up” events',
  key_token_quota_warning: '“Monthly tokens at 80%” events',
  key_token_quota_exceeded: '“Monthly tokens used up” events',
  partitions_made: 'partitions created',
  tables_vacuumed: 'tables vacuumed',
  models: 'models probed',
  failed: 'models failed',
};

/** The suffixes of counts by table, such as `request_logs_deleted`. */
const OF_TABLE: readonly { readonly end: string; readonly words: (table: string) => string }[] = [
  { end: '_months_dropped', words: (table) => `months of ${table} deleted` },
  { end: '_months_left', words: (table) => `months of ${table} left for the next run` },
  { end: '_deleted', words: (table) => `rows of ${table} deleted` },
  { end: '_left', words: (table) => `rows of ${table} left for the next run` },
];

/** Formats the counts of a run, such as `rows of request_logs deleted: 1,200`. A newer gateway can send unknown names. */
export function countsOf({ counts }: Pick<JobRun, 'counts'>): string[] {
  return Object.entries(counts)
    .sort(([one], [other]) => placeOf(one) - placeOf(other) || one.localeCompare(other))
    .map(([name, value]) => `${wordsOf(name)}: ${count(value)}`);
}

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

/** Returns null while the job runs. */
export function durationMsOf({ started_at, finished_at }: Pick<JobRun, 'started_at' | 'finished_at'>): number | null {
  return finished_at === null ? null : Math.max(0, Date.parse(finished_at) - Date.parse(started_at));
}

/** Formats `340 ms`, `2.4 s` or `12 min`. */
export function durationOf(run: Pick<JobRun, 'started_at' | 'finished_at'>): string {
  const ms = durationMsOf(run);
  if (ms === null || ms < 120_000) return latency(ms);
  return ms < 7_200_000 ? `${count(Math.round(ms / 60_000))} min` : `${count(Math.round(ms / 3_600_000))} h`;
}
