import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlFile } from '../../platform/database/sql-file.js';
import { limitForecastOf } from './forecast.rules.js';
import { ROLLING_PARTS } from './limit-terms.data.js';
import type { Limit, LimitFigures, ReadLimit } from './limit.js';
import { limitOf, type LimitRow } from './stores/limit-row.js';
import { LimitUsage } from './stores/limit-usage.store.js';
import { LruCache } from '../../platform/fairness/lru-cache.js';

const RECENT_MAX = 10_000;
/** The average of seven days hardly changes within this time. */
const RECENT_MS = 300_000;

const FIGURES = sqlFile(import.meta.url, './limit-figures.sql');

/** Figures are in the unit of the limit. */
interface FiguresRow extends LimitRow {
  readonly now_ms: number;
  readonly used: string;
  readonly held: string;
  readonly estimated: string;
  readonly effective: string;
  readonly carried: string;
  readonly top_ups: string;
  readonly active: boolean;
  /** The time from which `used` counts, in microseconds since 1970. 0: no start. */
  readonly period_us: string;
  readonly ends_ms: number | null;
  /** Numbers of the oldest part of a rolling period, and of its first part that has usage. Null for other periods. */
  readonly first_part: number | null;
  readonly first_used_part: number | null;
}

/** Usage of the last seven UTC days, and the start of the first one that has any. */
interface Recent {
  readonly units: bigint;
  readonly sinceMs: number | null;
}

/** The current figures of limits. Reading takes no lock and changes nothing, so it never delays admission. */
@Injectable()
export class LimitFiguresReads {
  private readonly recent = new LruCache<number, Recent>(RECENT_MAX, { ttl: RECENT_MS });

  constructor(
    private readonly source: DataSource,
    private readonly usage: LimitUsage,
  ) {}

  /** Returns limits in the order of the IDs, without deleted ones. */
  async of(ids: readonly number[]): Promise<ReadLimit[]> {
    if (ids.length === 0) return [];
    const rows = await this.source.query<FiguresRow[]>(FIGURES, [ids]);
    const limits = rows.map(limitOf);
    const recent = await this.recentOf(limits.filter((_, i) => hasTotal(rows[i]!)));
    return rows.map((row, i) => {
      const limit = limits[i]!;
      return { limit, figures: figuresOf(row, recent.get(limit.id) ?? null) };
    });
  }

  /** The next enabled limits by ID that can have a forecast. */
  async nextWithForecast(afterId: number, count: number): Promise<ReadLimit[]> {
    const rows = await this.source.query<{ id: string }[]>(
      `select id from limits
        where id > $1 and deleted_at is null and enabled and measure <> 'concurrent_requests'
        order by id limit $2`,
      [afterId, count],
    );
    return this.of(rows.map(({ id }) => Number(id)));
  }

  private async recentOf(limits: readonly Limit[]): Promise<ReadonlyMap<number, Recent>> {
    const found = new Map<number, Recent>();
    const missing: Limit[] = [];
    for (const limit of limits) {
      const known = this.recent.get(limit.id);
      if (known === undefined) missing.push(limit);
      else found.set(limit.id, known);
    }
    if (missing.length === 0) return found;
    const daysById = Map.groupBy(await this.usage.lastSevenDays(missing), ({ limitId }) => limitId);
    for (const { id } of missing) {
      const days = daysById.get(id) ?? [];
      const recent = { units: days.reduce((sum, { units }) => sum + units, 0n), sinceMs: days[0]?.startMs ?? null };
      found.set(id, recent);
      this.recent.set(id, recent);
    }
    return found;
  }
}

/** Only the forecasts of these limits are based on the last seven days. */
const hasTotal = ({ period, measure, active, used }: FiguresRow): boolean =>
  period === 'total' && measure !== 'concurrent_requests' && active && used !== '0';

function figuresOf(row: FiguresRow, recent: Recent | null): LimitFigures {
  const resetsAtMs = row.ends_ms === null || row.measure === 'concurrent_requests' ? null : Math.round(row.ends_ms);
  return {
    used: BigInt(row.used),
    reserved: BigInt(row.held),
    estimated: BigInt(row.estimated),
    effectiveAmount: BigInt(row.effective),
    carried: BigInt(row.carried),
    topUps: BigInt(row.top_ups),
    active: row.active,
    periodStartedAtMs: startOf(row),
    resetsAtMs,
    forecast: row.active ? forecast(row, recent, resetsAtMs) : null,
  };
}

/** A rolling period starts with its oldest part, or with a reset after that. */
function startOf(row: FiguresRow): number | null {
  if (row.measure === 'concurrent_requests') return null;
  const startMs = Math.floor(Number(row.period_us) / 1000);
  const rollingSinceMs = partStartMs(row, row.first_part);
  if (rollingSinceMs !== null) return Math.max(startMs, rollingSinceMs);
  return startMs === 0 ? null : startMs;
}

function partStartMs({ period }: FiguresRow, part: number | null): number | null {
  const rolling = ROLLING_PARTS[period];
  return rolling === undefined || part === null ? null : part * rolling.partMs;
}

function forecast(row: FiguresRow, recent: Recent | null, endMs: number | null) {
  const { period, measure } = row;
  if (measure === 'concurrent_requests') return null;
  const total = period === 'total';
  // The last seven days also have usage from before the start of a `total` limit, so its basis does not depend on that start.
  const startMs = Math.max(startOf(row) ?? 0, row.starts_at?.getTime() ?? 0);
  return limitForecastOf({
    period,
    used: BigInt(row.used),
    amount: BigInt(row.effective),
    nowMs: Math.floor(row.now_ms),
    sinceMs: total ? (recent?.sinceMs ?? null) : Math.max(partStartMs(row, row.first_used_part) ?? 0, startMs),
    usedSince: total ? (recent?.units ?? 0n) : BigInt(row.used),
    endMs,
    limitEndsAtMs: row.ends_at?.getTime() ?? null,
  });
}
