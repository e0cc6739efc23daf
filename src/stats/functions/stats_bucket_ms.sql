-- The duration that stands for a bucket: the harmonic mean of its bounds.
create or replace function stats_bucket_ms(bucket smallint)
returns double precision language sql immutable parallel safe as $$
SELECT CASE WHEN bucket < 0 THEN 0
ELSE 2 * (floor(power(1.02::float8, bucket - 1)) + 1) * floor(power(1.02::float8, bucket))
     / (floor(power(1.02::float8, bucket - 1)) + 1 + floor(power(1.02::float8, bucket))) END
$$;
