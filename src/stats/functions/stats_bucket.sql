-- The bucket of a duration. Buckets grow by 2%.
create or replace function stats_bucket(ms integer)
returns smallint language sql immutable parallel safe as $$
        SELECT (CASE WHEN ms < 1 THEN -1 ELSE ceil(ln(ms::float8) / ln(1.02::float8)) END)::smallint
$$;
