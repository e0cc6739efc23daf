-- Ends one silent process, and returns whether it had reservations that counted. Those of an ended period do not count. The function
-- changes neither `held` in `limit_holds` nor a period, so both can be read after it. $1 seconds
select e.writer_id,
       exists (
         select from limit_holds h
           join limit_counters c on c.limit_id = h.limit_id and c.period = h.period
          where h.writer_id = e.writer_id and h.held > 0)
  from (select limits_expire_1(make_interval(secs => $1::integer)) as writer_id offset 0) e
