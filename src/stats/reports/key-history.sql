-- The newest days and months of a key. Months are stored as year * 12 + month - 1, and longer than days.
--
-- $1 key, $2 first day, $3 last day, $4 limit of days, $5 limit of months
select *
  from (
    (select 'day' as kind, to_char(day, 'YYYY-MM-DD') as value, sum(requests)::float8 as requests, sum(errors)::float8 as errors,
            sum(input_tokens)::float8 as input_tokens, sum(output_tokens)::float8 as output_tokens,
            sum(estimated_tokens)::float8 as estimated_tokens
       from usage_daily
      where key_id = $1 and day between $2::date and $3::date
      group by day
      order by day desc
      limit $4)
     union all
    (select 'month', to_char(make_date(month / 12, month % 12 + 1, 1), 'YYYY-MM'), requests::float8, errors::float8,
            input_tokens::float8, output_tokens::float8, estimated_tokens::float8
       from usage_monthly
      where key_id = $1
        and month between (extract(year from $2::date) * 12 + extract(month from $2::date) - 1)::int
                      and (extract(year from $3::date) * 12 + extract(month from $3::date) - 1)::int
      order by month desc
      limit $5)) rows
 order by kind, value desc
