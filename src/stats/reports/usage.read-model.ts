import type { DataSource } from 'typeorm';
import type { Days } from '../../costs/days.rules.js';
import { sqlFile } from '../../platform/database/sql-file.js';

const USAGE = sqlFile(import.meta.url, './usage.sql');
const KEY_USAGE = sqlFile(import.meta.url, './key-usage.sql');
const HISTORY = sqlFile(import.meta.url, './key-history.sql');

/** Usage sums (D33). Exact up to 2^53, rounded above. */
export interface UsageFigures {
  readonly requests: number;
  readonly errors: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Included in the other two. */
  readonly estimatedTokens: number;
}

export interface UsageSummary {
  /** Sums of the whole range, including keys and models that the lists below leave out. */
  readonly totals: UsageFigures;
  readonly daily: readonly (UsageFigures & { readonly day: string })[];
  /** The 500 keys with the most requests, in descending order. */
  readonly byKey: readonly (UsageFigures & { readonly keyId: string; readonly keyName: string | null })[];
  /** The 500 models with the most requests, in descending order. Null for requests without a model. */
  readonly byModel: readonly (UsageFigures & { readonly model: string | null })[];
}

export interface KeyUsageQuery extends Days {
  readonly days: number;
  readonly months: number;
}

export interface KeyUsageHistory {
  /** Days with usage such as `2026-07-31`, newest first. */
  readonly daily: readonly (UsageFigures & { readonly day: string })[];
  /** Months with usage such as `2026-07`, newest first. */
  readonly monthly: readonly (UsageFigures & { readonly month: string })[];
}

/** The database, or a transaction with its snapshot. */
export type Reader = Pick<DataSource, 'query'>;

/**
 * The usage of all keys or of one key over a range of days (D17). It is exact and at most a second behind.
 * @param keyId null for all keys; the usage of an unknown key is 0
 */
export async function readUsage(reader: Reader, { from, to }: Days, keyId: string | null): Promise<UsageSummary> {
  const rows =
    keyId === null
      ? await reader.query<Row[]>(USAGE, [from, to])
      : await reader.query<Row[]>(KEY_USAGE, [from, to, keyId]);
  const rowsOfKind = (kind: Row['kind']) => rows.filter((row) => row.kind === kind);
  const total = rowsOfKind('total')[0];
  return {
    totals: total === undefined ? NO_FIGURES : figuresOf(total),
    daily: rowsOfKind('day').map((row) => ({ day: row.value, ...figuresOf(row) })),
    byKey: rowsOfKind('key').map((row) => ({ keyId: row.value, keyName: row.name, ...figuresOf(row) })),
    byModel: rowsOfKind('model').map((row) => ({ model: row.value === '' ? null : row.value, ...figuresOf(row) })),
  };
}

/**
 * The newest days and the newest whole months of a key that overlap the range (D17). Days and months are separate tables, because months
 * are kept longer.
 * @param query `days` and `months` limit rows
 */
export async function readKeyUsage(
  reader: Reader,
  keyId: string,
  { from, to, days, months }: KeyUsageQuery,
): Promise<KeyUsageHistory> {
  const rows = await reader.query<HistoryRow[]>(HISTORY, [keyId, from, to, days, months]);
  return {
    daily: rows.filter(({ kind }) => kind === 'day').map((row) => ({ day: row.value, ...figuresOf(row) })),
    monthly: rows.filter(({ kind }) => kind === 'month').map((row) => ({ month: row.value, ...figuresOf(row) })),
  };
}

interface Row extends FiguresRow {
  readonly kind: 'total' | 'day' | 'key' | 'model';
  readonly value: string;
  readonly name: string | null;
}

interface HistoryRow extends FiguresRow {
  readonly kind: 'day' | 'month';
  readonly value: string;
}

const NO_FIGURES: UsageFigures = {
  requests: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  estimatedTokens: 0,
};

/** The columns are float8, because pg returns bigint as text. */
interface FiguresRow {
  readonly requests: number;
  readonly errors: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly estimated_tokens: number;
}

const figuresOf = (row: FiguresRow): UsageFigures => ({
  requests: row.requests,
  errors: row.errors,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  estimatedTokens: row.estimated_tokens,
});
