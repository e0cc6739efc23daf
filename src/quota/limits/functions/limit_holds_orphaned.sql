-- Deletes the reservations of deleted writers.
create or replace function limit_holds_orphaned()
returns trigger language plpgsql as $$
begin
  delete from limit_holds where writer_id in (select writer_id from gone);
  return null;
end
$$;
