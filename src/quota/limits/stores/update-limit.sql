-- Always sets columns of the trigger `limits_a_set`, which increases the version of the set. All processes therefore also read a new name
-- or amount for their messages. $1 row as JSON
update limits l
   set name = r.name, models = r.models, amount = r.amount, mode = r.mode, reserve = r.reserve, weights = r.weights, starts_at = r.starts_at,
       ends_at = r.ends_at, enabled = r.enabled, thresholds = r.thresholds, carry_over = r.carry_over,
       updated_at = greatest(date_trunc('milliseconds', statement_timestamp()), l.updated_at + interval '1 millisecond')
  from jsonb_populate_record(null::limits, $1::jsonb) r
 where l.id = r.id
