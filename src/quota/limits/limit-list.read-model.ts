import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Page } from '../../platform/database/page.js';
import type { ReadLimit } from './limit.js';
import { LimitFiguresReads } from './limit-figures.read-model.js';
import type { LimitMeasure, LimitMode, LimitScope } from './limit-terms.data.js';
import { CURRENT, NOW } from './stores/limit-figures.sql.js';

export const LIMIT_SORTS = ['created', 'used', 'runs_out'] as const;
export type LimitSort = (typeof LIMIT_SORTS)[number];

/** All conditions must hold. Null means no condition. */
export interface LimitFilter {
  readonly scope: LimitScope | null;
  readonly teamId: string | null;
  readonly keyId: string | null;
  readonly tag: string | null;
  readonly measure: LimitMeasure | null;
  readonly mode: LimitMode | null;
  /** All limits that apply to the key: its own, and those of its tags, its team and the account. */
  readonly appliesToKey: string | null;
}

interface LimitListQuery extends Page {
  readonly filter: LimitFilter;
  readonly sort: LimitSort;
}

/** Only this many limits, those with the highest share of use, are ordered by forecast. The others follow, ordered by share. */
const RANKED_MAX = 5000;

@Injectable()
export class LimitList {
  constructor(
    private readonly source: DataSource,
    private readonly figures: LimitFiguresReads,
    @Optional() private readonly rankedMax = RANKED_MAX,
  ) {}

  async read({ filter, sort, limit, offset }: LimitListQuery): Promise<{ total: number; limits: ReadLimit[] }> {
    const total = await this.count(filter);
    if (sort !== 'runs_out' || offset >= this.rankedMax) {
      const ids = await this.ids(sort === 'created' ? BY_CREATION : BY_SHARE, filter, limit, offset);
      return { total, limits: await this.figures.of(ids) };
    }
    // One statement reads both parts, so that a limit whose share changes meanwhile is neither in both nor missing.
    const ids = await this.ids(BY_SHARE, filter, Math.max(this.rankedMax, offset + limit), 0);
    const read = await this.figures.of(ids);
    const ranked = read.slice(0, this.rankedMax).toSorted((a, b) => runsOutAt(a) - runsOutAt(b));
    return { total, limits: [...ranked, ...read.slice(this.rankedMax)].slice(offset, offset + limit) };
  }

  private async count(filter: LimitFilter): Promise<number> {
    const [row] = await this.source.query<{ total: number }[]>(
      `select count(*)::integer as total from limits l cross join ${KEY} where ${MATCHES}`,
      valuesOf(filter),
    );
    return row!.total;
  }

  private async ids(statement: string, filter: LimitFilter, limit: number, offset: number): Promise<number[]> {
    const rows = await this.source.query<{ id: string }[]>(statement, [...valuesOf(filter), [limit, offset]]);
    return rows.map(({ id }) => Number(id));
  }
}

/**
 * Reached limits come first. They have no forecast if their period has just begun. Limits without a forecast stay ordered by share,
 * because sorting is stable.
 */
const runsOutAt = ({ figures: { active, used, effectiveAmount, forecast } }: ReadLimit): number =>
  active && used >= effectiveAmount ? 0 : (forecast?.reachedAtMs ?? Number.MAX_SAFE_INTEGER);

const valuesOf = ({ scope, teamId, keyId, tag, measure, mode, appliesToKey }: LimitFilter): unknown[] => [
  scope,
  teamId,
  keyId,
  tag,
  measure,
  mode,
  appliesToKey,
];

const MATCHES = `l.deleted_at is null
   and ($1::text is null or l.scope = $1)
   and ($2::uuid is null or l.scope = 'team' and l.scope_id = $2)
   and ($3::uuid is null or l.scope = 'key' and l.scope_id = $3)
   and ($4::text is null or l.scope_tag = $4)
   and ($5::text is null or l.measure = $5)
   and ($6::text is null or l.mode = $6)
   and ($7::uuid is null or l.scope = 'account' and k.id is not null or l.scope_id in (k.id, k.team_id) or l.scope_tag = any(k.tags))`;

/** One row: the key of the filter, or nulls. Key and team IDs are UUIDs, so the scope of a limit need not be compared. */
const KEY = `(
  select k.id, k.team_id, k.tags || coalesce(m.tags, '{}') as tags
    from (select) one left join api_keys k on k.id = $7 left join teams m on m.id = k.team_id) k`;

/** The limit and the offset share a parameter, because a statement has at most eight. */
const PAGE = 'limit ($8::integer[])[1] offset ($8::integer[])[2]';

const BY_CREATION = `select l.id from limits l cross join ${KEY} where ${MATCHES} order by l.id desc ${PAGE}`;

// A limit of 0 is always reached. `offset 0` makes PostgreSQL filter first, because computing figures costs more.
const BY_SHARE = `
select l.id from (select l.id from limits l cross join ${KEY} where ${MATCHES} offset 0) l cross join ${NOW} ${CURRENT}
 order by case when c.amount = 0 then 1 else (c.used + c.held)::numeric / c.amount end desc, l.id desc
 ${PAGE}`;
