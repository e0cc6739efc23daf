import { monthOf } from '../quota/windows.js';

const DAY_MS = 86_400_000;

/** How long the rows of a table are kept. Names are constants of the program and go into statements as they are. */
export interface Retention {
  readonly table: string;
  readonly days: number;
  /** The age of a row; an index leads with it, or the table stays small. */
  readonly column: string;
  /** The unit of `column`. A day and a month (year * 12 + month - 1) are as old as their end. */
  readonly unit: 'instant' | 'day' | 'month';
  /** `months`: partitions by month of `created_at`, dropped as a whole. */
  readonly by: 'rows' | 'months';
  /** A further condition on the deleted rows. */
  readonly also?: string;
  /** Rows deleted by one statement, for tables whose rows cascade to others. */
  readonly rowsAStep?: number;
}

const YEAR = 365;
const TWO_YEARS = 720;
/** The longest rollup is 256 hours: a rollup that started 11 days before the year has ended before it. */
const ROLLUP_BLOCK = 11;
/** Longer than a year by the month that an event is about. */
const ONCE = 400;

/** In the order of deletion. The housekeeping of the statistics deletes refusals, hourly, after 7 days (D15). */
export const RETENTION: readonly Retention[] = [
  { table: 'request_logs', days: YEAR, column: 'created_at', unit: 'instant', by: 'months' },
  { table: 'audit_logs', days: YEAR, column: 'created_at', unit: 'instant', by: 'months' },
  // The sums of a day by key and model cascade with its row, so no day is ever summed in part.
  { table: 'usage_days', days: YEAR, column: 'day', unit: 'day', by: 'rows', rowsAStep: 1 },
  { table: 'usage_daily', days: YEAR, column: 'day', unit: 'day', by: 'rows' },
  { table: 'usage_monthly', days: TWO_YEARS, column: 'month', unit: 'month', by: 'rows' },
  { table: 'stats_rollup', days: YEAR + ROLLUP_BLOCK, column: 'start', unit: 'instant', by: 'rows' },
  { table: 'webhook_deliveries', days: 30, column: 'created_at', unit: 'instant', by: 'rows' },
  { table: 'events', days: YEAR, column: 'created_at', unit: 'instant', by: 'rows', rowsAStep: 1000 },
  { table: 'notifications', days: YEAR, column: 'created_at', unit: 'instant', by: 'rows', rowsAStep: 1000 },
  // Rows of expired keys are kept: without them the event would be sent again.
  {
    ...{ table: 'event_once', days: ONCE, column: 'created_at', unit: 'instant', by: 'rows' },
    also: `type <> 'key_expired'`,
  },
  { table: 'job_runs', days: YEAR, column: 'started_at', unit: 'instant', by: 'rows', also: `outcome <> 'running'` },
  { table: 'operator_sessions', days: 1, column: 'expires_at', unit: 'instant', by: 'rows' },
  { table: 'password_guesses', days: 1, column: 'guessed_at', unit: 'instant', by: 'rows' },
  // Rows of processes that have ended; an idle process inserts its row again.
  { table: 'quota_writer', days: 7, column: 'at', unit: 'instant', by: 'rows' },
];

/** Start of the retention: moments before it are older than `days`. */
export const keptSinceMs = ({ days }: Pick<Retention, 'days'>, nowMs: number): number => nowMs - days * DAY_MS;

/** The first value of the column that is kept: rows below it are deleted. */
export function keptFrom({ unit, days }: Pick<Retention, 'unit' | 'days'>, nowMs: number): string | number {
  const sinceMs = keptSinceMs({ days }, nowMs);
  switch (unit) {
    case 'instant':
      return new Date(sinceMs).toISOString();
    case 'day':
      return new Date(sinceMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
    case 'month':
      return monthOf(sinceMs);
    default:
      return unit satisfies never;
  }
}
