/** $1 writer. Waits for a batch of this writer whose client has gone: its outcome is known once the row can be had. */
export const READ_WRITER = `
select batch, short_keys::text[] as short_keys, short_granted, date_part('epoch', at) * 1000 as at_ms
  from quota_writer where writer_id = $1 for no key update`;

/** $1 writer. */
export const INSERT_WRITER = 'insert into quota_writer (writer_id, batch) values ($1, 0)';

/**
 * $1 writer, $2 number, then one array a column of `owed`. `held` 0: fenced, nothing was added. `passed_over`: keys whose rows
 * others hold, for the next time: nobody who holds one row may keep a process from the store. A key without a row is settled.
 */
export const SETTLE = `
with fence as materialized (
  select from quota_writer where writer_id = $1 and batch = $2::bigint - 1 for no key update
), owed as (                                     -- one row a key: the newest windows it was served in, and how often (negative: too much was stored)
  select * from unnest($3::uuid[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[]) as o(key_id, m, mn, d, dn, mo, mon)
), locked as materialized (
  select o.*, q.minute, q.minute_count, q.day, q.day_count, q.month, q.month_count
    from owed o join key_quota q using (key_id)
   where exists (select from fence)
   order by o.key_id for no key update of q skip locked
), passed_over as (
  select array_agg(o.key_id) as keys
    from owed o join key_quota q using (key_id)
   where exists (select from fence) and not exists (select from locked l where l.key_id = o.key_id)
), added as (
  update key_quota q set
         minute = greatest(l.minute, l.m), minute_count = greatest(0, case when l.m > l.minute then 0 else l.minute_count end + case when l.m >= l.minute then mn else 0 end),
         day    = greatest(l.day, l.d),    day_count    = greatest(0, case when l.d > l.day then 0 else l.day_count end + case when l.d >= l.day then dn else 0 end),
         month  = greatest(l.month, l.mo), month_count  = greatest(0, case when l.mo > l.month then 0 else l.month_count end + case when l.mo >= l.month then mon else 0 end)
    from locked l where q.key_id = l.key_id
), marked as (
  update quota_writer set batch = $2, short_keys = (select keys from passed_over), short_granted = null, at = clock_timestamp()
   where writer_id = $1 and batch = $2::bigint - 1
)
select count(*)::int as held, (select keys::text[] from passed_over) as passed_over from fence`;
