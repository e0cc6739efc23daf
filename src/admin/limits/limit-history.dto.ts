import { ApiProperty } from '@nestjs/swagger';
import type { LimitAlert } from '../../quota/limits/limit-alerts.read-model.js';
import type { Days } from '../../costs/days.rules.js';
import type { Simulation } from '../../quota/limits/limit-simulations.service.js';
import type { SimulatedPeriod } from '../../quota/limits/simulation.rules.js';
import type { LimitMeasure } from '../../quota/limits/limit-terms.data.js';
import type { Limit } from '../../quota/limits/limit.js';
import { type ShownAmount, shownAmount } from '../../quota/limits/shown-limit.rules.js';
import type { TopUp } from '../../quota/limits/top-ups.service.js';
import { Page, pageOf } from '../page.dto.js';
import { AMOUNT, TEXT_OR_NULL, TIME } from './limit-schemas.data.js';
import { CREATED_BY } from '../admin.decorators.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
const DAY = { format: 'date', example: '2026-07-31' } as const;

export class TopUpResponse {
  @ApiProperty({ type: 'integer', minimum: 1, example: 3 })
  id: number;

  @ApiProperty({ ...AMOUNT, example: '50' })
  amount: ShownAmount;

  @ApiProperty(TIME)
  starts_at: Date;

  @ApiProperty({ ...TIME, nullable: true, description: 'null: never.' })
  expires_at: Date | null;

  @ApiProperty({ example: false })
  is_expired: boolean;

  @ApiProperty({ ...TEXT_OR_NULL, example: 'Launch week' })
  note: string | null;

  @ApiProperty(TIME)
  created_at: Date;

  @ApiProperty(CREATED_BY)
  created_by: string;

  static of(topUp: TopUp, { measure }: Pick<Limit, 'measure'>): TopUpResponse {
    return {
      id: topUp.id,
      amount: shownAmount(measure, topUp.amount),
      starts_at: topUp.startsAt,
      expires_at: topUp.expiresAt,
      is_expired: topUp.expired,
      note: topUp.note,
      created_at: topUp.createdAt,
      created_by: topUp.createdBy,
    };
  }
}

export class TopUpListResponse extends Page {
  @ApiProperty({ type: [TopUpResponse], description: 'Newest first, also those that have expired.' })
  top_ups: TopUpResponse[];

  static of(page: { limit: Limit; total: number; topUps: TopUp[] }, offset: number): TopUpListResponse {
    const rows = page.topUps.map((topUp) => TopUpResponse.of(topUp, page.limit));
    return { ...pageOf(page.total, offset, rows.length), top_ups: rows };
  }
}

export class DeletedTopUpResponse {
  @ApiProperty({ type: 'integer', minimum: 1, example: 3 })
  id: number;

  @ApiProperty({ enum: [true] })
  deleted: true;
}

export class LimitAlertResponse {
  @ApiProperty({ enum: ['threshold', 'forecast'] })
  type: 'threshold' | 'forecast';

  @ApiProperty({ type: 'integer', nullable: true, example: 80, description: 'Percentage. null for a forecast.' })
  threshold: number | null;

  @ApiProperty(TIME)
  at: Date;

  @ApiProperty({ ...AMOUNT, example: '200.004', description: 'Used at that time.' })
  used: ShownAmount;

  @ApiProperty({ ...AMOUNT, example: '250', description: 'With carry-over and top-ups at that time.' })
  amount: ShownAmount;

  @ApiProperty({ ...TIME, nullable: true, description: 'null for rolling periods and `total`.' })
  period_started_at: Date | null;

  static of({ threshold, at, used, amount, periodStartedAt }: LimitAlert, measure: LimitMeasure): LimitAlertResponse {
    return {
      type: threshold === null ? 'forecast' : 'threshold',
      threshold,
      at,
      used: shownAmount(measure, used),
      amount: shownAmount(measure, amount),
      period_started_at: periodStartedAt,
    };
  }
}

export class LimitAlertListResponse extends Page {
  @ApiProperty({ type: [LimitAlertResponse], description: 'Newest first.' })
  alerts: LimitAlertResponse[];

  static of(page: { limit: Limit; total: number; alerts: LimitAlert[] }, offset: number): LimitAlertListResponse {
    const rows = page.alerts.map((alert) => LimitAlertResponse.of(alert, page.limit.measure));
    return { ...pageOf(page.total, offset, rows.length), alerts: rows };
  }
}

class SimulatedPeriodResponse {
  @ApiProperty(TIME)
  started_at: Date;

  @ApiProperty(TIME)
  ended_at: Date;

  @ApiProperty({ ...AMOUNT, example: '312.4', description: 'Used in the period, without the limit.' })
  used: ShownAmount;

  @ApiProperty({ ...TIME, description: 'When the amount would have been reached.' })
  reached_at: Date;

  @ApiProperty({ ...AMOUNT, example: '62.4' })
  refused_amount: ShownAmount;

  @ApiProperty({ ...COUNT, example: 240, description: 'An estimate.' })
  refused_requests: number;

  static of(period: SimulatedPeriod, reachedAtMs: number, measure: LimitMeasure): SimulatedPeriodResponse {
    const { startMs, endMs, used, refusedUnits, refusedRequests } = period;
    return {
      started_at: new Date(startMs),
      ended_at: new Date(endMs),
      used: shownAmount(measure, used),
      reached_at: new Date(reachedAtMs),
      refused_amount: shownAmount(measure, refusedUnits),
      refused_requests: refusedRequests,
    };
  }
}

export class SimulationResponse {
  @ApiProperty({ enum: ['limit_simulation'] })
  object: 'limit_simulation';

  @ApiProperty(DAY)
  since: string;

  @ApiProperty({ ...DAY, description: 'Last day, included.' })
  until: string;

  @ApiProperty({ ...AMOUNT, example: '120.5', description: 'The figure with which the limit would start now.' })
  starts_with: ShownAmount;

  @ApiProperty({
    enum: ['daily_usage'],
    nullable: true,
    description:
      'Usage is stored by day and assumed to be even within each day. null: periods shorter than a day and concurrent requests cannot be simulated.',
  })
  method: 'daily_usage' | null;

  @ApiProperty({ ...COUNT, example: 12_000, description: 'Requests in these days.' })
  requests: number;

  @ApiProperty({ ...COUNT, example: 2, description: 'Examined periods. For `rolling_7d`, the days.' })
  periods: number;

  @ApiProperty({ ...AMOUNT, example: '312.4', description: 'The highest usage of a period.' })
  highest_used: ShownAmount;

  @ApiProperty({ ...AMOUNT, example: '62.4' })
  refused_amount: ShownAmount;

  @ApiProperty({ ...COUNT, example: 240, description: 'An estimate.' })
  refused_requests: number;

  @ApiProperty({
    type: [SimulatedPeriodResponse],
    description: 'The periods in which the limit would have been reached.',
  })
  reached: SimulatedPeriodResponse[];

  static of({ terms, periods, requests, startsWith }: Simulation, days: Days): SimulationResponse {
    const { measure } = terms;
    const all = periods ?? [];
    return {
      object: 'limit_simulation',
      since: days.from,
      until: days.to,
      starts_with: shownAmount(measure, startsWith),
      method: periods === null ? null : 'daily_usage',
      requests,
      periods: all.length,
      highest_used: shownAmount(
        measure,
        all.reduce((highest, { used }) => (used > highest ? used : highest), 0n),
      ),
      refused_amount: shownAmount(
        measure,
        all.reduce((sum, { refusedUnits }) => sum + refusedUnits, 0n),
      ),
      refused_requests: all.reduce((sum, { refusedRequests }) => sum + refusedRequests, 0),
      reached: all.flatMap((period) =>
        period.reachedAtMs === null ? [] : [SimulatedPeriodResponse.of(period, period.reachedAtMs, measure)],
      ),
    };
  }
}
