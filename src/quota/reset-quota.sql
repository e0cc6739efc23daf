-- Increments the version, so that no request is checked against the old counts. $1 key, $2 window
with reset as (
  update key_quota
     set version = greatest(version + 1, (date_part('epoch', clock_timestamp()) * 1e6)::bigint),
         minute_count = case when $2 in ('minute', 'all') then 0 else minute_count end,
         day_count    = case when $2 in ('day', 'all')    then 0 else day_count end,
         month_count  = case when $2 in ('month', 'all')  then 0 else month_count end
   where key_id = $1
  returning key_id
)
select pg_notify('gw_key', key_id::text) from reset
