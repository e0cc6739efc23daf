import { Logger } from '@nestjs/common';
import type { Client } from 'pg';
import { sqlFile } from '../../platform/database/sql-file.js';
import { numbersOf, rowOf, rowsOf, run, type StatementText } from './prepared-statement.js';
import type { LimitChanges } from './unreconciled-changes.js';

const SETTLE: StatementText = { name: 'limits-settle', text: sqlFile(import.meta.url, './settle-limits.sql') };
const SHOW_ALIVE: StatementText = { name: 'quota-beat', text: sqlFile(import.meta.url, './show-writer-alive.sql') };
const FIND_SILENT: StatementText = {
  name: 'limits-silent',
  text: sqlFile(import.meta.url, './find-silent-writers.sql'),
};
const EXPIRE: StatementText = { name: 'limits-expire', text: sqlFile(import.meta.url, './expire-writer.sql') };

/** A process without a heartbeat for this long is treated as dead. Heartbeats are sent every 3 s. */
const SILENT_SECONDS = '15';

/** Larger figures are implausible. `limits_settle_3` replaces their sum by the reserved amount. */
const FIGURE_MAX = 2 ** 52;
const bounded = (figure: number): number => Math.max(-FIGURE_MAX, Math.min(FIGURE_MAX + 1, figure));

const logger = new Logger('Quota');

interface SentSettlement {
  readonly writerId: string;
  readonly number: string;
  readonly changes: LimitChanges;
  /** Whether to skip locked rows instead of waiting 100 ms for them. */
  readonly skipsLocked: boolean;
}

/** @returns limits that were skipped; null if the entry was fenced and nothing was stored */
export async function storeSettlement(
  client: Client,
  { writerId, number, changes, skipsLocked }: SentSettlement,
): Promise<ReadonlySet<number> | null> {
  const lines = [...changes.lines].sort((a, b) => a.limitId - b.limitId);
  const [row] = await run(client, SETTLE, [
    writerId,
    number,
    String(skipsLocked),
    rowsOf(
      lines.map(({ limitId, period, freed, spent, overdraft }) =>
        rowOf([limitId, period, bounded(freed), bounded(spent), bounded(overdraft)]),
      ),
    ),
    rowsOf(changes.charges.map(({ limitId, atUs, spent }) => rowOf([limitId, atUs, bounded(spent)]))),
  ]);
  const [stored, absurd, skipped] = row ?? [];
  if (typeof absurd === 'string')
    logger.error(`Implausible usage was replaced by the reserved amount under the limits ${absurd.slice(1, -1)}`);
  return stored === 't' ? new Set(numbersOf(skipped).map(Number)) : null;
}

/** @returns false if another process ended the reservations of this one, or its row was deleted */
export async function showAlive(client: Client, writerId: string): Promise<boolean> {
  return (await run(client, SHOW_ALIVE, [writerId])).length > 0;
}

/** Whether a process that made reservations has been silent for too long, and has not been ended. */
export async function areSomeSilent(client: Client): Promise<boolean> {
  const [row] = await run(client, FIND_SILENT, [SILENT_SECONDS]);
  return row?.[0] === 't';
}

/** Ends the reservations of one dead process. @returns whether a dead process was found */
export async function expireOne(client: Client): Promise<boolean> {
  const [row] = await run(client, EXPIRE, [SILENT_SECONDS]);
  const [writer = null, held] = row ?? [];
  // After a clean shutdown, the process is silent too, but holds nothing.
  if (held === 't') logger.warn(`A process (${writer}) stopped without settling its reservations. They count as used.`);
  return writer !== null;
}
