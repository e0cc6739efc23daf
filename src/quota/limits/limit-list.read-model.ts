import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Page } from '../../platform/database/page.js';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { ReadLimit } from './limit.js';
import { LimitFiguresReads } from './limit-figures.read-model.js';
import type { LimitMeasure, LimitMode, LimitScope } from './limit-terms.data.js';

export const LIMIT_SORTS = ['created', 'used', 'runs_out'] as const;
export type LimitSort = (typeof LIMIT_SORTS)[number];

/** All conditions must hold. Null if the condition does not apply. */
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

const MATCHING = sqlFile(import.meta.url, './matching-limits.sql');
const BY_SHARE = sqlFile(import.meta.url, './limits-by-share.sql');

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
    if (sort === 'created') {
      const { total, ids } = await this.matching(filter, { limit, offset });
      return { total, limits: await this.figures.of(ids.map(Number)) };
    }
    const { total, ids } = await this.matching(filter, null);
    if (sort === 'used' || offset >= this.rankedMax)
      return { total, limits: await this.figures.of(await this.byShare(ids, limit, offset)) };
    // One statement reads both parts, so that a limit whose share changes meanwhile is neither in both nor missing.
    const read = await this.figures.of(await this.byShare(ids, Math.max(this.rankedMax, offset + limit), 0));
    const ranked = read.slice(0, this.rankedMax).toSorted((a, b) => runsOutAt(a) - runsOutAt(b));
    return { total, limits: [...ranked, ...read.slice(this.rankedMax)].slice(offset, offset + limit) };
  }

  /** @param page null for all matching limits */
  private async matching(filter: LimitFilter, page: Page | null): Promise<{ total: number; ids: string[] }> {
    const { scope, teamId, keyId, tag, measure, mode, appliesToKey } = filter;
    const conditions = [scope, teamId, keyId, tag, measure, mode, appliesToKey];
    const [row] = await this.source.query<{ total: number; ids: string[] }[]>(MATCHING, [
      ...conditions,
      page && [page.limit, page.offset],
    ]);
    return row!;
  }

  private async byShare(ids: readonly string[], limit: number, offset: number): Promise<number[]> {
    const rows = await this.source.query<{ id: string }[]>(BY_SHARE, [ids, limit, offset]);
    return rows.map(({ id }) => Number(id));
  }
}

/**
 * Reached limits come first. They have no forecast if their period has just begun. Limits without a forecast stay ordered by share,
 * because sorting is stable.
 */
const runsOutAt = ({ figures: { active, used, effectiveAmount, forecast } }: ReadLimit): number =>
  active && used >= effectiveAmount ? 0 : (forecast?.reachedAtMs ?? Number.MAX_SAFE_INTEGER);
