import type { Transaction } from '../../../platform/database/transactions.js';
import type { ReadLimit } from '../limit.js';

/** Records the first forecast of each limit in its period. Returns the IDs of these limits. */
export async function claimForecasts(
  transaction: Transaction,
  forecasts: readonly ReadLimit[],
): Promise<ReadonlySet<number>> {
  // Forecasts of rolling periods have no common key, so processes claim one after the other.
  await transaction.query(`select pg_advisory_xact_lock(hashtextextended('limit-forecasts', 0))`);
  const given = forecasts.map(({ limit: { id, period }, figures }) => ({
    limit_id: id,
    rolling: period.startsWith('rolling'),
    period: (figures.periodStartedAtMs ?? 0) * 1000,
    used: String(figures.used),
    amount: String(figures.effectiveAmount),
  }));
  const rows = await transaction.query<{ limit_id: string }[]>(CLAIM, [JSON.stringify(given)]);
  return new Set(rows.map(({ limit_id }) => Number(limit_id)));
}

const CLAIM = `
insert into limit_alerts (limit_id, period, threshold, at, used, amount)
select g.limit_id, case when g.rolling then (date_part('epoch', t.now) * 1e6)::bigint else g.period end, 0, t.now, g.used, g.amount
  from jsonb_to_recordset($1::jsonb) as g(limit_id bigint, rolling boolean, period bigint, used bigint, amount bigint)
 cross join (select clock_timestamp() as now offset 0) t
 where not g.rolling
    or not exists (select from limit_alerts a where a.limit_id = g.limit_id and a.threshold = 0 and a.at > t.now - interval '7 days 2 hours')
on conflict do nothing
returning limit_id`;
