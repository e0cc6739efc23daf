import type { StatementText } from './statement.js';

/** $1 keys. No lock, no number; the columns of admit.sql.ts but the last. */
export const LOOK: StatementText = {
  name: 'quota-look',
  text: `
select q.key_id, q.version as current, date_part('epoch', t.now) * 1000 as now,
       b.m, case when q.minute - b.m in (0, 1) then q.minute_count else 0 end as mu,
       b.d, case when q.day - b.d in (0, 1) then q.day_count else 0 end as du,
       b.mo, case when q.month - b.mo in (0, 1) then q.month_count else 0 end as mou,
       coalesce(u.input_tokens + u.output_tokens, 0) as tokens
  from (select clock_timestamp() as now) t
 cross join lateral (select floor(date_part('epoch', t.now) / 60)::int as m, floor(date_part('epoch', t.now) / 86400)::int as d,
         (date_part('year', t.now at time zone 'UTC') * 12 + date_part('month', t.now at time zone 'UTC') - 1)::int as mo) b
 cross join key_quota q left join usage_monthly u on u.key_id = q.key_id and u.month = b.mo
 where q.key_id = any($1::uuid[])`,
};
