-- Rejects changes of what identifies a limit, and stores the version of its set.
create or replace function limit_changed()
returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.scope, new.scope_id, new.scope_tag, new.measure, new.period, new.zone)
     is distinct from (old.scope, old.scope_id, old.scope_tag, old.measure, old.period, old.zone) then
    raise exception 'the scope, measure, period and zone of a limit cannot change';
  end if;
  perform limit_period_start(new.period, new.zone, now());
  new.version := (select version from limit_set);
  return new;
end
$$;
