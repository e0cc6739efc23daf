-- Stores a row of the release before, which writes single rows, as a batch with one item.
create or replace function unpriced_usage_moved()
returns trigger language plpgsql as $$
begin
  insert into unpriced_batches (day, key_id, model, answered_model, models, endpoint, provider, base_url, first_at, last_at,
                                requests, units, items)
  values (new.day, new.key_id, new.model, new.answered_model, array(select jsonb_array_elements_text(new.usage -> 'models')),
          new.endpoint, new.provider, new.base_url, new.at, new.at, 1, new.usage -> 'units',
          json_build_array(json_build_array(
            round(extract(epoch from new.at) * 1000)::bigint, new.usage #> '{usage,inputTokens}', new.usage #> '{usage,outputTokens}',
            new.usage #> '{usage,provenance}', new.usage -> 'details', new.cost_nanos::text, new.id)));
  return null;
end
$$;
