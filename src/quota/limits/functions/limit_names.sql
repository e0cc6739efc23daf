-- Whether one of the patterns, in which * matches any characters, names the model. Null patterns name all models.
create or replace function limit_names(patterns text[], model text)
returns boolean language sql immutable parallel safe as $$
select patterns is null or exists (
select from unnest(patterns) as p
 where lower(model) like replace(replace(replace(replace(lower(p), '\', '\\'), '_', '\_'), '%', '\%'), '*', '%'))
$$;
