/**
 * $1 key, $2 `minute`, `day`, `month` or `all`. The version rises, so that nobody judges by the figures before, and is noted
 * at each window that was reset. No row: no such key.
 */
export const RESET = `
with risen as materialized (
  select key_id, greatest(version + 1, (date_part('epoch', clock_timestamp()) * 1e6)::bigint) as version
    from key_quota where key_id = $1 for no key update
), reset as (
  update key_quota q
     set version = r.version,
         minute_count = case when $2 in ('minute', 'all') then 0 else minute_count end,
         minute_reset = case when $2 in ('minute', 'all') then r.version else minute_reset end,
         day_count    = case when $2 in ('day', 'all')    then 0 else day_count end,
         day_reset    = case when $2 in ('day', 'all')    then r.version else day_reset end,
         month_count  = case when $2 in ('month', 'all')  then 0 else month_count end,
         month_reset  = case when $2 in ('month', 'all')  then r.version else month_reset end
    from risen r
   where q.key_id = r.key_id
  returning q.key_id
)
select pg_notify('gw_key', key_id::text) from reset`;
