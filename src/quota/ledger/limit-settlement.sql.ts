import { Logger } from '@nestjs/common';
import type { Client } from 'pg';
import { listOf, numbersOf, run, type StatementText } from './prepared-statement.js';
import type { LimitLine, Settlement } from './unreconciled-limits.js';

/** A process without a heartbeat for this long is treated as dead. Heartbeats are sent every 3 s. */
const SILENT_SECONDS = 15;

/** Larger figures are implausible. `limits_settle_2` replaces their sum by the reserved amount. */
const FIGURE_MAX = 2 ** 52;
const bounded = (figure: number): number => Math.max(-FIGURE_MAX, Math.min(FIGURE_MAX + 1, figure));

const logger = new Logger('Quota');

/**
 * Waits at most 100 ms for rows that other sessions lock.
 * @param skip whether to skip locked rows instead
 * @returns limits that were skipped; null if the entry was fenced and nothing was stored
 */
export async function storeSettlement(
  client: Client,
  writerId: string,
  number: string,
  { lines, charges }: Settlement,
  skip: boolean,
): Promise<ReadonlySet<number> | null> {
  const sorted = [...lines].sort((a, b) => a.limitId - b.limitId);
  const column = (of: (line: LimitLine) => number): string => listOf(sorted.map((line) => String(of(line))));
  const [row] = await run(client, SETTLE, [
    writerId,
    number,
    String(skip),
    column(({ limitId }) => limitId),
    column(({ period }) => period),
    column(({ freed }) => bounded(freed)),
    column(({ spent }) => bounded(spent)),
    column(({ overdraft }) => bounded(overdraft)),
    listOf(charges.map(({ limitId }) => String(limitId))),
    listOf(charges.map(({ atUs }) => String(atUs))),
    listOf(charges.map(({ spent }) => String(bounded(spent)))),
  ]);
  const [stored, absurd, skipped] = row ?? [];
  if (typeof absurd === 'string')
    logger.error(`Implausible usage was replaced by the reserved amount under the limits ${absurd.slice(1, -1)}`);
  return stored === 't' ? new Set(numbersOf(skipped).map(Number)) : null;
}

/** @returns false if another process ended the reservations of this one, or its row was deleted */
export async function beat(client: Client, writerId: string): Promise<boolean> {
  return (await run(client, BEAT, [writerId])).length > 0;
}

/** Whether a process that made reservations has been silent for too long, and has not been ended. */
export async function areSomeSilent(client: Client): Promise<boolean> {
  const [row] = await run(client, SILENT, []);
  return row?.[0] === 't';
}

/** Ends the reservations of one dead process. @returns whether a dead process was found */
export async function expireOne(client: Client): Promise<boolean> {
  const [row] = await run(client, EXPIRE, []);
  const [writer = null, held] = row ?? [];
  // After a clean shutdown, the process is silent too, but holds nothing.
  if (held === 't') logger.warn(`A process (${writer}) stopped without settling its reservations. They count as used.`);
  return writer !== null;
}

/** The function is in `migrations/1790000023500-settle-overdraft.ts`. */
const SETTLE: StatementText = {
  name: 'limits-settle',
  text: 'select stored, absurd, skipped from limits_settle_2($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
};

const BEAT: StatementText = {
  name: 'quota-beat',
  text: `
update quota_writer set beat_at = clock_timestamp(), at = clock_timestamp()
 where writer_id = $1 and expired_at is null returning writer_id`,
};

const SILENT: StatementText = {
  name: 'limits-silent',
  text: `
select exists (
  select from quota_writer where expired_at is null and beat_at < clock_timestamp() - interval '${SILENT_SECONDS} seconds')`,
};

/** The function is in `migrations/1790000021300-limit-processes.ts`. */
const EXPIRE: StatementText = {
  name: 'limits-expire',
  // Also returns whether the ended process had reservations that counted. Reservations of an ended period do not count. The
  // function changes neither `held` in `limit_holds` nor a period, so both can be read after it.
  text: `
select e.writer_id, exists (
         select from limit_holds h join limit_counters c on c.limit_id = h.limit_id and c.period = h.period
          where h.writer_id = e.writer_id and h.held > 0)
  from (select limits_expire_1(interval '${SILENT_SECONDS} seconds') as writer_id offset 0) e`,
};
