-- Records the incidents that a process sees, and ends those that no process has seen for a while.
-- $1: [{upstream, status, last_error}], $2: seconds after which an unseen incident ends
with given as (
  select upstream, status, last_error
    from jsonb_to_recordset($1::jsonb) as g(upstream text, status text, last_error jsonb)
), reported as (
  insert into upstream_incidents (upstream, status, began_at, seen_at, last_error)
  select upstream, status, now(), now(), last_error from given order by upstream, status
  on conflict (upstream, status) do update
    set seen_at = excluded.seen_at, last_error = coalesce(excluded.last_error, upstream_incidents.last_error)
  -- A row that was inserted has no earlier version.
  returning upstream, status, last_error, xmax = 0 as is_new
), ended as (
  delete from upstream_incidents as i
   where i.seen_at < now() - make_interval(secs => $2)
     and not exists (select from given as g where g.upstream = i.upstream and g.status = i.status)
  returning upstream, status, began_at
), remaining as (
  select upstream, status from upstream_incidents
  except
  select upstream, status from ended
)
select
  (select coalesce(jsonb_agg(jsonb_build_object('upstream', upstream, 'status', status, 'lastError', last_error)), '[]')
     from reported where is_new) as began,
  (select coalesce(jsonb_agg(jsonb_build_object('upstream', upstream, 'beganAt', began_at)), '[]')
     from (select upstream, min(began_at) as began_at from ended group by upstream) as recovered
    where not exists (select from remaining as r where r.upstream = recovered.upstream)
      and not exists (select from given as g where g.upstream = recovered.upstream)) as recovered,
  exists (select from remaining) or exists (select from given) as is_any_open
