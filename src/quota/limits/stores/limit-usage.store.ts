import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlFile } from '../../../platform/database/sql-file.js';
import type { Limit, LimitTerms } from '../limit.js';
import type { UsageDay } from '../simulation.rules.js';
import { rowOf } from './limit-row.js';

const BY_DAY = sqlFile(import.meta.url, './usage-by-day.sql');
const PERIODS = sqlFile(import.meta.url, './simulation-periods.sql');

interface LimitUsageDay extends UsageDay {
  readonly limitId: number;
}

interface DayRow {
  readonly id: string | null;
  readonly start_ms: number;
  readonly length_ms: number;
  readonly units: string;
  readonly requests: number;
}

interface SimulatedPeriods {
  readonly periods: readonly { readonly startMs: number; readonly endMs: number }[];
  /** The usage with which a new limit starts now, in its unit. */
  readonly startsWith: bigint;
}

interface PeriodsRow {
  readonly periods: readonly { readonly start: number; readonly end: number }[];
  readonly starts_with: string;
}

/** Reads past usage as limits count it, by day. */
@Injectable()
export class LimitUsage {
  constructor(private readonly source: DataSource) {}

  /** The UTC days with usage, in ascending order for each limit. Today is the last day. */
  lastSevenDays(limits: readonly Limit[]): Promise<LimitUsageDay[]> {
    return this.days(
      limits.map((limit) => rowOf(limit.id, limit)),
      null,
      null,
    );
  }

  /**
   * The days with usage of a limit that does not exist.
   * @param firstDay UTC days such as `2026-07-01`, both inclusive
   */
  daysOf(draft: LimitTerms, firstDay: string, lastDay: string): Promise<UsageDay[]> {
    return this.days([rowOf(null, draft)], firstDay, lastDay);
  }

  /** @param firstDay like `daysOf` */
  async periodsOf(draft: LimitTerms, firstDay: string, lastDay: string): Promise<SimulatedPeriods> {
    const [row] = await this.source.query<PeriodsRow[]>(PERIODS, [
      JSON.stringify(rowOf(null, draft)),
      firstDay,
      lastDay,
    ]);
    return {
      // A `total` ends now, so its end can contain a fraction of a millisecond.
      periods: row!.periods.map(({ start, end }) => ({ startMs: start, endMs: Math.ceil(end) })),
      startsWith: BigInt(row!.starts_with),
    };
  }

  private async days(
    rows: readonly ReturnType<typeof rowOf>[],
    firstDay: string | null,
    lastDay: string | null,
  ): Promise<LimitUsageDay[]> {
    const days = await this.source.query<DayRow[]>(BY_DAY, [JSON.stringify(rows), firstDay, lastDay]);
    return days.map((row) => ({
      limitId: Number(row.id),
      startMs: row.start_ms,
      lengthMs: row.length_ms,
      units: BigInt(row.units),
      requests: row.requests,
    }));
  }
}
