-- The lowest figure above `used` at which a threshold is reached. Usage is at most 2^62, so it never reaches a higher figure.
create or replace function limit_alert_at(thresholds smallint[], amount bigint, used bigint)
returns bigint language sql immutable as $$
select min(greatest(1, ceil(amount::numeric * t / 100)))::bigint from unnest(thresholds) as t
where greatest(1, ceil(amount::numeric * t / 100)) > used and ceil(amount::numeric * t / 100) <= 4611686018427387904
$$;
