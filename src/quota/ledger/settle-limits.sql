-- $1 writer, $2 number of the entry, $3 whether to skip locked rows, $4 lines, $5 charges
select stored, absurd, skipped from limits_settle_3($1, $2, $3, $4, $5)
