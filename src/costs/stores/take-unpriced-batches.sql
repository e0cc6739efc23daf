-- Locks the next batches that have at least $6 requests in total. A batch has from one request to hundreds, so at most $6 batches are
-- needed.
--
-- Operators can filter by the model that requests named (`model`) and by the model that lacks the price (`answered_model`), which is usually
-- the model in the response.
--
-- $1 model, $2 upstream, $3 since, $4 until, $5 ID of the previous batch, $6 requests. Null in $1 to $5: no condition
with next as materialized (
  select id
    from (
      select id, sum(requests) over (order by id) - requests as before
        from (
          select id, requests
            from unpriced_batches
           where ($1::text is null or answered_model = $1 or model = $1)
             and ($2::text is null or provider = $2)
             and ($3::timestamptz is null or last_at >= $3)
             and ($4::timestamptz is null or first_at <= $4)
             and ($5::bigint is null or id > $5)
           order by id
           limit $6) found) summed
   where before < $6
)
select day::text, key_id as "keyId", model, endpoint, provider, id, models, base_url as "baseUrl", items
  from unpriced_batches
 where id in (select id from next)
 order by id
   for update
