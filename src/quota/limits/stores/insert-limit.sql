-- The ID was drawn before, for the audit row. `overriding system value` allows it, because the column is always generated.
--
-- $1 row as JSON
insert into limits (id, name, scope, scope_id, scope_tag, measure, weights, period, zone, amount, models, mode, reserve, starts_at, ends_at, enabled,
                    thresholds, carry_over)
overriding system value
select id, name, scope, scope_id, scope_tag, measure, weights, period, zone, amount, models, mode, reserve, starts_at, ends_at, enabled,
       thresholds, carry_over
  from jsonb_populate_record(null::limits, $1::jsonb)
returning *
