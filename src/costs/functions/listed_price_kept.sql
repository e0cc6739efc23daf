-- Stored costs refer to published prices, so these rows never change.
create or replace function listed_price_kept()
returns trigger language plpgsql as $$
begin
  raise exception 'Published prices are never changed or deleted.';
end
$$;
