select version, min(published_on)::text as date, min(recorded_at) as "recordedAt"
  from price_lists
 group by version
 order by min(published_on) desc, min(recorded_at) desc
