import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { ActiveLimit } from './limit.js';
import { LIMIT_MEASURES, LIMIT_SCOPES, type LimitMeasure, type LimitScope } from './limit-terms.data.js';
import { LimitSet } from './limit-set.service.js';

const FULLEST = sqlFile(import.meta.url, './fullest-limits.sql');

/** Each limit is a series of the metric, so their number is bounded. */
const FULLEST_MAX = 50;
const READ_EVERY_MS = 15_000;

interface LimitUse {
  readonly limit: ActiveLimit;
  /** The sum of used and reserved, divided by the amount. */
  readonly ratio: number;
}

/** Figures for the metrics of this process. */
@Injectable()
export class LimitMetrics {
  private readonly rejected = new Map<string, number>();
  private known: { readonly atMs: number; readonly uses: Promise<LimitUse[]> } | null = null;

  constructor(
    private readonly set: LimitSet,
    private readonly source: DataSource,
  ) {}

  /** Counts a request that the limit rejected. */
  countRejection({ scope, measure }: Pick<ActiveLimit, 'scope' | 'measure'>): void {
    const name = `${scope} ${measure}`;
    this.rejected.set(name, (this.rejected.get(name) ?? 0) + 1);
  }

  get rejections(): { scope: LimitScope; measure: LimitMeasure; count: number }[] {
    return LIMIT_SCOPES.flatMap((scope) =>
      LIMIT_MEASURES.map((measure) => ({ scope, measure, count: this.rejected.get(`${scope} ${measure}`) ?? 0 })),
    );
  }

  /** The number of enabled limits. */
  get countByScope(): Readonly<Record<LimitScope, number>> {
    const counts = { account: 0, team: 0, key: 0, tag: 0 };
    for (const { scope } of this.set.all) counts[scope] += 1;
    return counts;
  }

  /** The limits with the highest share of use, at most 50. The database is read at most every 15 s. */
  fullest(nowMs: number): Promise<readonly LimitUse[]> {
    if (this.set.isEmpty) return Promise.resolve([]);
    if (this.known === null || nowMs - this.known.atMs >= READ_EVERY_MS)
      this.known = { atMs: nowMs, uses: this.readFullest() };
    return this.known.uses;
  }

  private async readFullest(): Promise<LimitUse[]> {
    const rows = await this.source.query<{ id: string; ratio: number }[]>(FULLEST, [FULLEST_MAX]);
    return rows.flatMap(({ id, ratio }) => {
      const limit = this.set.byId(Number(id));
      return limit === undefined ? [] : [{ limit, ratio }];
    });
  }
}
