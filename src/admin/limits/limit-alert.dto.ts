import { ApiProperty } from '@nestjs/swagger';
import type { LimitAlert } from '../../quota/limits/limit-alerts.read-model.js';
import type { LimitMeasure } from '../../quota/limits/limit-terms.data.js';
import type { Limit } from '../../quota/limits/limit.js';
import { type ShownAmount, shownAmount } from '../../quota/limits/shown-limit.rules.js';
import { Page, pageOf } from '../page.dto.js';
import { AMOUNT } from './limit-schemas.data.js';
import { TIME } from '../fields.data.js';

export class LimitAlertResponse {
  @ApiProperty({ enum: ['threshold', 'forecast'] })
  type: 'threshold' | 'forecast';

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 80,
    description: 'Percentage of the amount. Null for a forecast.',
  })
  threshold: number | null;

  @ApiProperty(TIME)
  at: Date;

  @ApiProperty({ ...AMOUNT, example: '200.004', description: 'Amount that was used when the alert was sent.' })
  used: ShownAmount;

  @ApiProperty({
    ...AMOUNT,
    example: '250',
    description: 'Amount of the limit when the alert was sent, including carry-over and top-ups.',
  })
  amount: ShownAmount;

  @ApiProperty({ ...TIME, nullable: true, description: 'Null for rolling periods and `total`.' })
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
