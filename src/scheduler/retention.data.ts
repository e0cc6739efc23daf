/** What is kept for how long. Names are constants of the program and go into statements as they are. */
export interface Retention {
  readonly table: string;
  /** Kept; what is older goes. */
  readonly days: number;
  /** Tells a row's age; an index leads with it, or the table stays small. */
  readonly column: string;
  /** What `column` holds. A day and a month (year * 12 + month - 1) are as old as their end. */
  readonly unit: 'instant' | 'day' | 'month';
  /** `months`: partitions by month of `created_at`, of which a whole one goes as a table. */
  readonly by: 'rows' | 'months';
  /** A further condition on rows that go. */
  readonly also?: string;
  /** Deleted in one statement; for tables whose rows take others with them. */
  readonly rowsAStep?: number;
}

const YEAR = 365;
const TWO_YEARS = 720;
/** The longest block of the rollups is 256 hours: one that began so much before the year is wholly past it. */
const ROLLUP_BLOCK = 11;
/** Longer than a year, by the month of which an event tells. */
const ONCE = 400;

/** In the order in which it is done. Refusals go after 7 days, hourly, by the statistics' own housekeeping (D15). */
export const RETENTION: readonly Retention[] = [
  { table: 'request_logs', days: YEAR, column: 'created_at', unit: 'instant', by: 'months' },
  { table: 'audit_logs', days: YEAR, column: 'created_at', unit: 'instant', by: 'months' },
  // A day's sums by key and model go with its row, so no day is ever summed up in part.
  { table: 'usage_days', days: YEAR, column: 'day', unit: 'day', by: 'rows', rowsAStep: 1 },
  { table: 'usage_daily', days: YEAR, column: 'day', unit: 'day', by: 'rows' },
  { table: 'usage_monthly', days: TWO_YEARS, column: 'month', unit: 'month', by: 'rows' },
  { table: 'stats_rollup', days: YEAR + ROLLUP_BLOCK, column: 'start', unit: 'instant', by: 'rows' },
  { table: 'webhook_deliveries', days: 30, column: 'created_at', unit: 'instant', by: 'rows' },
  { table: 'events', days: YEAR, column: 'created_at', unit: 'instant', by: 'rows', rowsAStep: 1000 },
  { table: 'notifications', days: YEAR, column: 'created_at', unit: 'instant', by: 'rows', rowsAStep: 1000 },
  // That an expiry was told of is kept: the key may be expired by then for ever.
  {
    ...{ table: 'event_once', days: ONCE, column: 'created_at', unit: 'instant', by: 'rows' },
    also: `type <> 'key_expired'`,
  },
  { table: 'job_runs', days: YEAR, column: 'started_at', unit: 'instant', by: 'rows', also: `outcome <> 'running'` },
  { table: 'operator_sessions', days: 1, column: 'expires_at', unit: 'instant', by: 'rows' },
  { table: 'password_guesses', days: 1, column: 'guessed_at', unit: 'instant', by: 'rows' },
  // Rows of processes that are gone; one that is idle makes its row anew.
  { table: 'quota_writer', days: 7, column: 'at', unit: 'instant', by: 'rows' },
];
