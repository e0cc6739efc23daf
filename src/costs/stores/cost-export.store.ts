import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Days } from '../days.rules.js';
import { figuresOf, type CostFigures, type FiguresRow } from '../report/cost-figures.rules.js';
import type { CostFilter } from '../report/cost-query.js';
import { keysOfTeam, keysWithTag } from './cost-statements.js';

/** A row of `cost_daily`, the finest sums that exist. Empty texts stand for none. */
export interface CostRecord extends CostFigures {
  /** Such as `2026-07-31`. */
  readonly day: string;
  readonly keyId: string;
  /** Null for an unknown key. */
  readonly keyName: string | null;
  /** The team of the key now. Null without one. */
  readonly teamName: string | null;
  readonly model: string;
  readonly endpoint: string;
  readonly provider: string;
}

export type RecordPosition = Pick<CostRecord, 'day' | 'keyId' | 'model' | 'endpoint' | 'provider'>;

const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Reads recorded costs page by page in the order of the primary key, so that an export of any size needs little memory. */
@Injectable()
export class CostExportStore {
  constructor(private readonly source: DataSource) {}

  /** @param after the last record of the previous page; null for the first page */
  async page(days: Days, filter: CostFilter, after: RecordPosition | null, limit: number): Promise<CostRecord[]> {
    const { day, keyId, model, endpoint, provider } = after ?? { ...NOTHING, day: days.from };
    const rows = await this.source.query<FiguresRow[]>(PAGE, [
      days.from,
      days.to,
      day,
      keyId,
      model,
      endpoint,
      provider,
      limit,
      filter.key ?? null,
      filter.model ?? null,
      filter.endpoint ?? null,
      filter.provider ?? null,
      filter.team ?? null,
      filter.tag ?? null,
    ]);
    return rows.map((row) => ({ ...(row as unknown as Named), ...figuresOf(row) }));
  }
}

/** Before every record of a day. */
const NOTHING = { keyId: NIL_ID, model: '', endpoint: '', provider: '' } as const;

type Named = Omit<CostRecord, keyof CostFigures>;

const PAGE = `
select c.*, c.day::text, key_id as "keyId", k.name as "keyName", team.name as "teamName",
       case when backfilled then requests else 0 end as backfilled_requests
  from (select * from cost_daily
         where day between $1 and $2
           and (day, key_id, model, endpoint, provider) > ($3::date, $4::uuid, $5::text, $6::text, $7::text)
           and ($9::uuid is null or key_id = $9::uuid) and ($10::text is null or model = $10::text)
           and ($11::text is null or endpoint = $11::text) and ($12::text is null or provider = $12::text)
           and ($13::uuid is null or key_id in (${keysOfTeam('$13')}))
           and ($14::text is null or key_id in (${keysWithTag('$14')}))
         order by day, key_id, model, endpoint, provider limit $8) c
  left join api_keys k on k.id = c.key_id
  left join teams team on team.id = k.team_id
 order by c.day, c.key_id, c.model, c.endpoint, c.provider`;
