-- A sum as a bigint. A larger sum becomes the largest bigint, because an error would stop the sums of all other rows too.
create or replace function bounded_sum(total numeric)
returns bigint language sql immutable parallel safe as $$
select least(total, 9223372036854775807)::bigint
$$;
