import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { limitForecastOf } from './forecast.rules.js';
import { ROLLING_PARTS } from './limit-terms.data.js';
import type { LimitFigures, ReadLimit } from './limit.js';
import { FIGURES, type FiguresRow, RECENT, type RecentRow } from './stores/limit-figures.sql.js';
import { limitOf } from './stores/limit-row.js';
import { LruCache } from '../../platform/fairness/lru-cache.js';

const RECENT_MAX = 10_000;
/** The average of seven days hardly changes within this time. */
const RECENT_MS = 300_000;

interface Recent {
  readonly units: bigint;
  readonly sinceMs: number | null;
}

/** The current figures of limits. Reading takes no lock and changes nothing, so it never delays admission. */
@Injectable()
export class LimitFiguresReads {
  private readonly recent = new LruCache<number, Recent>(RECENT_MAX, { ttl: RECENT_MS });

  constructor(private readonly source: DataSource) {}

  /** Returns limits in the order of the IDs, without deleted ones. */
  async of(ids: readonly number[]): Promise<ReadLimit[]> {
    if (ids.length === 0) return [];
    const rows = await this.source.query<FiguresRow[]>(FIGURES, [ids]);
    const recent = await this.recentOf(rows.filter(hasTotal).map(({ id }) => Number(id)));
    return rows.map((row) => ({ limit: limitOf(row), figures: figuresOf(row, recent.get(Number(row.id)) ?? null) }));
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

  private async recentOf(ids: readonly number[]): Promise<ReadonlyMap<number, Recent>> {
    const found = new Map<number, Recent>();
    const missing = ids.filter((id) => {
      const known = this.recent.get(id);
      if (known !== undefined) found.set(id, known);
      return known === undefined;
    });
    if (missing.length === 0) return found;
    for (const row of await this.source.query<RecentRow[]>(RECENT, [missing])) {
      const recent = { units: BigInt(row.units), sinceMs: row.since_ms };
      found.set(Number(row.id), recent);
      this.recent.set(Number(row.id), recent);
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
