import type { Client } from 'pg';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { KeyCounts } from '../utc-windows.rules.js';
import { rowOf, rowsOf } from './prepared-statement.js';

const BEGIN = sqlFile(import.meta.url, './begin-epoch.sql');
const READ_PERIODS = sqlFile(import.meta.url, './batch-periods.sql');
const STORE_UNRECONCILED = sqlFile(import.meta.url, './store-unreconciled.sql');

export interface StoredMark {
  readonly batch: number;
  /** The time of the last entry, by the database's clock. */
  readonly atMs: number;
  /**
   * After a batch, the granted requests of each key that got fewer than it requested. After a reconciliation, the skipped
   * keys.
   */
  readonly granted: ReadonlyMap<string, number>;
  /** After a batch with limits, the numbers of the rejected requests. After a settlement, the skipped limits. */
  readonly rejected: readonly number[] | null;
  /** The periods in which the limits of the last batch were counted. */
  readonly periods: ReadonlyMap<number, number>;
}

/** Numbers of an earlier epoch are fenced. */
interface WriterEpoch extends Omit<StoredMark, 'periods'> {
  readonly epoch: number;
}

/**
 * Begins an epoch, after which the outcome of a batch whose connection was lost is known.
 * @param writerId a UUID of this process
 * @returns null for a new row
 */
export async function beginEpoch(client: Client, writerId: string): Promise<WriterEpoch | null> {
  // Several statements share one message, so that no row stays locked if this process stops. Such a message has no parameters.
  const results = (await client.query(BEGIN.replaceAll('$1', `'${writerId}'`))) as unknown as readonly {
    readonly rows: readonly WriterRow[];
  }[];
  const row = results.flatMap(({ rows }) => rows)[0];
  if (row === undefined) {
    await client.query('insert into quota_writer (writer_id, batch) values ($1, 0)', [writerId]);
    return null;
  }
  const granted = (row.short_keys ?? []).map((keyId, i) => [keyId, row.short_granted?.[i] ?? 0] as const);
  return {
    epoch: Number(row.epoch),
    batch: Number(row.batch),
    atMs: row.at_ms,
    granted: new Map(granted),
    rejected: row.rejected,
  };
}

interface WriterRow {
  readonly epoch: string;
  readonly batch: string;
  readonly at_ms: number;
  readonly short_keys: readonly string[] | null;
  readonly short_granted: readonly number[] | null;
  readonly rejected: readonly number[] | null;
}

export async function readPeriods(
  client: Client,
  writerId: string,
  limitIds: readonly number[],
  atMs: number,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await client.query<{ limit_id: string; period: string }>(READ_PERIODS, [
    writerId,
    limitIds,
    Math.ceil(atMs * 1000),
  ]);
  return new Map(rows.map((row) => [Number(row.limit_id), Number(row.period)]));
}

/**
 * The counts of a deleted key are discarded.
 * @returns keys that were skipped because another session locks their rows. Null if the entry was fenced: its number was not
 *   the next one, and nothing was added
 */
export async function storeUnreconciled(
  client: Client,
  writerId: string,
  number: string,
  counts: readonly KeyCounts[],
): Promise<ReadonlySet<string> | null> {
  const { rows } = await client.query<{ fences: number; skipped: string[] | null }>(STORE_UNRECONCILED, [
    writerId,
    number,
    rowsOf(counts.map(unreconciledKey)),
  ]);
  const row = rows[0];
  return row === undefined || row.fences === 0 ? null : new Set(row.skipped);
}

const unreconciledKey = (counts: KeyCounts): string =>
  rowOf([
    counts.keyId,
    counts.minute,
    counts.minuteCount,
    counts.day,
    counts.dayCount,
    counts.month,
    counts.monthCount,
  ]);
