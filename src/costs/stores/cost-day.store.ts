import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ClosedDayStore } from '../../platform/database/closed-days.js';
import { ROW_SUMS, SUM_COLUMNS } from './cost-statements.js';

/** The sums of closed days by key, model, endpoint and provider, and of all. */
@Injectable()
export class CostDayStore extends ClosedDayStore {
  constructor(source: DataSource) {
    super(source, { rows: 'cost_daily', closed: 'cost_days', lock: 'cost-day', close: CLOSE });
  }
}

const CLOSE = `
with closed as (
  insert into cost_days (day) values ($1::date) on conflict do nothing returning day
)
insert into cost_day_sums (day, dimension, value, ${SUM_COLUMNS.join(', ')})
select $1::date,
       case when key_id is not null then 'key' when model is not null then 'model' when endpoint is not null then 'endpoint'
            when provider is not null then 'provider' else 'all' end as dimension,
       coalesce(key_id::text, model, endpoint, provider, '') as value, ${ROW_SUMS}
  from cost_daily where day = (select day from closed)
 group by grouping sets ((key_id), (model), (endpoint), (provider), ())
having count(*) > 0
 order by dimension, value`;
