-- Every process reports the same changes, so only the first one adds each.
insert into lost_changes (id, at, action, actor_type, actor_id, target_type, target_id, target_name, remembered)
select id, at, action, "actorType", "actorId", "targetType", "targetId", "targetName", remembered
  from jsonb_to_recordset($1::jsonb) as given (
         id uuid, at timestamptz, action text, "actorType" text, "actorId" text, "targetType" text, "targetId" text, "targetName" text,
         remembered jsonb)
    on conflict (id) do nothing
returning id
