import type { Client } from 'pg';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { ReadLimit } from '../last-limits.js';
import type { LimitTimes } from '../seen-limit.rules.js';
import { bigintsOf, listOf, run, type StatementText, type TextRow } from './prepared-statement.js';

const READ_LIMITS: StatementText = { name: 'limits-read', text: sqlFile(import.meta.url, './read-limits.sql') };
const READ_STARTS: StatementText = {
  name: 'limits-read-starts',
  text: sqlFile(import.meta.url, './read-period-starts.sql'),
};

/** Reads without locking. The result omits deleted limits. */
export async function readLimits(client: Client, limitIds: readonly number[]): Promise<Map<number, ReadLimit>> {
  const rows = await run(client, READ_LIMITS, [listOf(limitIds.map(String))]);
  return new Map(rows.map((row) => [Number(row[0]), readLimitOf(row)]));
}

type Calendar = Pick<LimitTimes, 'per' | 'zone'>;

/** The start of the current period and of the next ones of each calendar, in microseconds since 1970. */
export async function readPeriodStarts(
  client: Client,
  calendars: readonly Calendar[],
): Promise<readonly (Calendar & { readonly startsUs: readonly number[] })[]> {
  const columns = [calendars.map(({ per }) => per), calendars.map(({ zone }) => zone)];
  const rows = await run(client, READ_STARTS, columns.map(listOf));
  return rows.map(([per, zone, starts]) => ({ per: per!, zone: zone!, startsUs: bigintsOf(starts).map(Number) }));
}

function readLimitOf(row: TextRow): ReadLimit {
  const [, atUs, per, zone, enabled, enforced, base, startsUs, endsUs, granted, period, amount, used, held, overdraft] =
    row;
  const times = {
    per: per!,
    zone: zone!,
    enforced: enforced === 't',
    base: BigInt(base!),
    topUps: topUpsOf(granted),
    startsUs: numberOf(startsUs),
    endsUs: numberOf(endsUs),
  };
  return {
    atUs: Number(atUs),
    times: enabled === 't' ? times : null,
    seen: {
      period: numberOf(period),
      amount: enforced === 't' ? BigInt(amount!) : null,
      used: BigInt(used!),
      held: BigInt(held!),
      overdraft: BigInt(overdraft!),
    },
  };
}

const numberOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Number(text);

/** Each top-up has an amount, a start and an end. */
function topUpsOf(granted: string | null | undefined): LimitTimes['topUps'] {
  const figures = bigintsOf(granted);
  return figures.flatMap((amount, i) =>
    i % 3 === 0 ? [{ amount: amount!, fromUs: Number(figures[i + 1]), untilUs: Number(figures[i + 2]) }] : [],
  );
}
