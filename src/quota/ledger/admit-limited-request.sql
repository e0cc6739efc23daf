-- $1 writer, $2 number of the batch, $3 version of the set of limits, $4 key, $5 to $7 limits with the amounts asked, $8 request
select outcome, now_ms, o_key, o_version, o_m, o_mu, o_d, o_du, o_mo, o_mou, o_tokens, o_additional, o_granted,
       o_period, o_used, o_held, o_amount, o_overdraft, o_refused, o_refused_by, o_until
  from limits_admit_one_2($1, $2, $3, $4, $5, $6, $7, $8)
