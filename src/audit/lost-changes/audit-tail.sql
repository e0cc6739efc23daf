-- The audit rows since $1, without those of reads and sign-ins. The times of rows that commit late are lower, so the rows of a few
-- seconds are read again each time. The newest row of a key or model policy also has its current state.
with tail as (
  select *, row_number() over (partition by target_type, target_id order by created_at desc, id) = 1 as newest
    from audit_logs
   where created_at > coalesce($1::timestamptz - interval '5 seconds', clock_timestamp() - interval '1 hour')
     and action not like 'admin.%' and action not like 'lost\_change.%'
     and action <> all(array['model.probed', 'job.started', 'cache.purged', 'upstreams.loaded', 'webhook.tested', 'costs.recomputed'])
   order by created_at desc, id
   limit 5000
)
select a.id, a.created_at::text as at, a.action, a.actor_type as "actorType", a.metadata ->> 'actor_id' as "actorId",
       a.target_type as "targetType", a.target_id as "targetId", k.name as "targetName",
       case
         when not a.newest then null
         when k.id is not null then
           jsonb_build_object('version', q.version, 'status', k.status, 'keyHash', encode(k.key_hash, 'hex'), 'keyHint', k.key_hint)
         when p.model is not null then jsonb_build_object('enabled', p.enabled)
       end as remembered
  from tail a
  left join api_keys k on k.id = case when a.target_type = 'api_key' then a.target_id::uuid end
  left join key_quota q on q.key_id = k.id
  left join model_policies p on p.model = case when a.action = 'model_policy.set' then a.target_id end
 order by a.created_at desc, a.id
