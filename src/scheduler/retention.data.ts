import { DAY_MS, monthOf } from '../quota/utc-windows.rules.js';

/** Names are constants and are inserted into statements without quoting. */
export interface Retention {
  readonly table: string;
  readonly days: number;
  /** Determines the age of a row. It is the first column of an index, unless the table stays small. */
  readonly column: string;
  /** The unit of `column`. The age of a day or month (year * 12 + month - 1) is that of its end. */
  readonly unit: 'instant' | 'day' | 'month';
  /** `months`: monthly partitions by `created_at`, which are dropped whole. */
  readonly by: 'rows' | 'months';
  readonly also?: string;
  /** Rows per statement, for tables whose deletes cascade to others. */
  readonly rowsPerStep?: number;
}

const YEAR_DAYS = 365;
const TWO_YEARS_DAYS = 720;
/** The longest rollup is 256 hours, so a rollup that starts 11 days before the year also ends before it. */
const ROLLUP_BLOCK_DAYS = 11;
/** A year plus the month that an event is about. */
const EVENT_ONCE_DAYS = 400;

/** In the order of deletion. The statistics module deletes refusals hourly, after 7 days (D15). */
export const RETENTION: readonly Retention[] = [
  { table: 'request_logs', days: YEAR_DAYS, column: 'created_at', unit: 'instant', by: 'months' },
  { table: 'audit_logs', days: YEAR_DAYS, column: 'created_at', unit: 'instant', by: 'months' },
  // Deleting the row of a day cascades to its sums, so no day is ever summed in part. The same applies to `cost_days`.
  { table: 'usage_days', days: YEAR_DAYS, column: 'day', unit: 'day', by: 'rows', rowsPerStep: 1 },
  { table: 'usage_daily', days: YEAR_DAYS, column: 'day', unit: 'day', by: 'rows' },
  { table: 'request_errors_daily', days: YEAR_DAYS, column: 'day', unit: 'day', by: 'rows' },
  { table: 'cost_days', days: TWO_YEARS_DAYS, column: 'day', unit: 'day', by: 'rows', rowsPerStep: 1 },
  { table: 'cost_daily', days: TWO_YEARS_DAYS, column: 'day', unit: 'day', by: 'rows' },
  { table: 'unpriced_batches', days: YEAR_DAYS, column: 'day', unit: 'day', by: 'rows' },
  { table: 'usage_monthly', days: TWO_YEARS_DAYS, column: 'month', unit: 'month', by: 'rows' },
  { table: 'stats_rollup', days: YEAR_DAYS + ROLLUP_BLOCK_DAYS, column: 'start', unit: 'instant', by: 'rows' },
  { table: 'unstored_records', days: YEAR_DAYS, column: 'at', unit: 'instant', by: 'rows' },
  { table: 'lost_changes', days: YEAR_DAYS, column: 'decided_at', unit: 'instant', by: 'rows' },
  { table: 'limit_alerts', days: YEAR_DAYS, column: 'at', unit: 'instant', by: 'rows' },
  // Deleted limits stay for a while, so that every process learns about the deletion. Deletes cascade to their top-ups.
  { table: 'limits', days: 30, column: 'deleted_at', unit: 'instant', by: 'rows', rowsPerStep: 1000 },
  { table: 'webhook_deliveries', days: 30, column: 'created_at', unit: 'instant', by: 'rows' },
  { table: 'events', days: YEAR_DAYS, column: 'created_at', unit: 'instant', by: 'rows', rowsPerStep: 1000 },
  { table: 'notifications', days: YEAR_DAYS, column: 'created_at', unit: 'instant', by: 'rows', rowsPerStep: 1000 },
  // Without the rows of expired keys, their events would be sent again.
  {
    table: 'event_once',
    days: EVENT_ONCE_DAYS,
    column: 'created_at',
    unit: 'instant',
    by: 'rows',
    also: `type <> 'key_expired'`,
  },
  {
    table: 'job_runs',
    days: YEAR_DAYS,
    column: 'started_at',
    unit: 'instant',
    by: 'rows',
    also: `outcome <> 'running'`,
  },
  // Providers delete most of these objects after 30 days. If the row of an owner is missing, the gateway finds the owner by asking
  // the upstreams.
  { table: 'upstream_objects', days: 90, column: 'used_at', unit: 'instant', by: 'rows', also: 'expires' },
  { table: 'operator_sessions', days: 1, column: 'expires_at', unit: 'instant', by: 'rows' },
  { table: 'password_guesses', days: 1, column: 'guessed_at', unit: 'instant', by: 'rows' },
  // A process whose row is a week old has ended or is idle, and an idle process inserts its row again. The row of a dead process
  // is kept while its reservations count.
  {
    table: 'quota_writer',
    days: 7,
    column: 'at',
    unit: 'instant',
    by: 'rows',
    also: 'beat_at is null or expired_at is not null',
  },
];

export const keptSinceMs = ({ days }: Pick<Retention, 'days'>, nowMs: number): number => nowMs - days * DAY_MS;

/** Rows below the returned value of the column are deleted. */
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
