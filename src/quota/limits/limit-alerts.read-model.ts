import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Page } from '../../platform/database/page.js';
import type { Limit } from './limit.js';
import { LimitsService } from './limits.service.js';

export interface LimitAlert {
  /** A percentage of the amount. Null for a forecast. */
  readonly threshold: number | null;
  readonly at: Date;
  /** In the unit of the limit. */
  readonly used: bigint;
  readonly amount: bigint;
  /** Null for rolling periods and `total`. */
  readonly periodStartedAt: Date | null;
}

interface AlertRow {
  readonly threshold: number;
  readonly at: Date;
  readonly used: string;
  readonly amount: string;
  readonly period: string;
}

@Injectable()
export class LimitAlerts {
  constructor(
    private readonly source: DataSource,
    private readonly limits: LimitsService,
  ) {}

  /** Returns the newest alerts first. @throws GatewayError `not_found` */
  async list(
    limitId: number,
    { limit: rowsMax, offset }: Page,
  ): Promise<{ limit: Limit; total: number; alerts: LimitAlert[] }> {
    const limit = await this.limits.get(limitId);
    const [count] = await this.source.query<{ total: number }[]>(
      'select count(*)::integer as total from limit_alerts where limit_id = $1',
      [limitId],
    );
    const rows = await this.source.query<AlertRow[]>(
      `select threshold, at, used, amount, period from limit_alerts where limit_id = $1
        order by at desc, threshold desc limit $2 offset $3`,
      [limitId, rowsMax, offset],
    );
    return { limit, total: count!.total, alerts: rows.map((row) => alertOf(row, limit)) };
  }
}

function alertOf({ threshold, at, used, amount, period }: AlertRow, { period: per }: Limit): LimitAlert {
  // For rolling periods, the stored period is the time of the alert. For `total`, it is 0.
  const hasStart = !per.startsWith('rolling') && period !== '0';
  return {
    threshold: threshold === 0 ? null : threshold,
    at,
    used: BigInt(used),
    amount: BigInt(amount),
    periodStartedAt: hasStart ? new Date(Number(period) / 1000) : null,
  };
}
