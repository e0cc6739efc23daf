import { ApiProperty } from '@nestjs/swagger';
import type { Days } from '../../costs/days.rules.js';
import type { Simulation } from '../../quota/limits/limit-simulations.service.js';
import type { LimitMeasure } from '../../quota/limits/limit-terms.data.js';
import { type ShownAmount, shownAmount } from '../../quota/limits/shown-limit.rules.js';
import type { SimulatedPeriod } from '../../quota/limits/simulation.rules.js';
import { AMOUNT } from './limit-schemas.data.js';
import { COUNT, DAY, TIME } from '../fields.data.js';

class SimulatedPeriodResponse {
  @ApiProperty(TIME)
  started_at: Date;

  @ApiProperty(TIME)
  ended_at: Date;

  @ApiProperty({ ...AMOUNT, example: '312.4', description: 'Usage of the period without the limit.' })
  used: ShownAmount;

  @ApiProperty({ ...TIME, description: 'When the amount would have been reached.' })
  reached_at: Date;

  @ApiProperty({ ...AMOUNT, example: '62.4' })
  refused_amount: ShownAmount;

  @ApiProperty({ ...COUNT, example: 240, description: 'An estimate.' })
  refused_requests: number;

  static of(period: SimulatedPeriod, reachedAtMs: number, measure: LimitMeasure): SimulatedPeriodResponse {
    const { startMs, endMs, used, rejectedUnits, rejectedRequests } = period;
    return {
      started_at: new Date(startMs),
      ended_at: new Date(endMs),
      used: shownAmount(measure, used),
      reached_at: new Date(reachedAtMs),
      refused_amount: shownAmount(measure, rejectedUnits),
      refused_requests: rejectedRequests,
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

  @ApiProperty({ ...AMOUNT, example: '120.5', description: 'The usage that the limit would start with now.' })
  starts_with: ShownAmount;

  @ApiProperty({
    example: true,
    description:
      'false for periods shorter than a day and for concurrent requests, because usage is stored by day. The figures about periods and refusals are then 0 and have no meaning.',
  })
  simulated: boolean;

  @ApiProperty({
    enum: ['daily_usage'],
    nullable: true,
    description: 'Usage is stored by day and assumed to be even within each day. Null if `simulated` is false.',
  })
  method: 'daily_usage' | null;

  @ApiProperty({ ...COUNT, example: 12_000, description: 'Number of requests on these days.' })
  requests: number;

  @ApiProperty({
    ...COUNT,
    example: 2,
    description: 'Number of examined periods. For `rolling_7d`, the number of days.',
  })
  periods: number;

  @ApiProperty({ ...AMOUNT, example: '312.4', description: 'The highest usage in any period.' })
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

  static of({ terms: { measure }, periods, requests, startsWith }: Simulation, days: Days): SimulationResponse {
    return {
      object: 'limit_simulation',
      since: days.from,
      until: days.to,
      starts_with: shownAmount(measure, startsWith),
      simulated: periods !== null,
      method: periods === null ? null : 'daily_usage',
      requests,
      ...periodFigures(periods ?? [], measure),
    };
  }
}

function periodFigures(periods: readonly SimulatedPeriod[], measure: LimitMeasure) {
  const highestUsed = periods.reduce((highest, { used }) => (used > highest ? used : highest), 0n);
  const rejectedUnits = periods.reduce((sum, period) => sum + period.rejectedUnits, 0n);
  return {
    periods: periods.length,
    highest_used: shownAmount(measure, highestUsed),
    refused_amount: shownAmount(measure, rejectedUnits),
    refused_requests: periods.reduce((sum, period) => sum + period.rejectedRequests, 0),
    reached: periods.flatMap((period) =>
      period.reachedAtMs === null ? [] : [SimulatedPeriodResponse.of(period, period.reachedAtMs, measure)],
    ),
  };
}
