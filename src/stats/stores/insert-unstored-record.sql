-- Keeps a record that could not be stored, unless there are already many.
--
-- $1 table, $2 key, $3 reason, $4 record, $5 number of records that are kept
insert into unstored_records (source, key_id, reason, record)
select $1, $2, $3, $4
 where (select count(*) from (select from unstored_records limit $5::int) kept) < $5::int
