import { ApiProperty } from '@nestjs/swagger';
import { FORECAST_METHODS, type Forecast, type ForecastMethod } from '../../quota/limits/forecast.rules.js';
import type { ReadLimit } from '../../quota/limits/limit.js';
import {
  LIMIT_MEASURES,
  LIMIT_MODES,
  LIMIT_PERIODS,
  LIMIT_RESERVES,
  LIMIT_SCOPES,
  type LimitMeasure,
  type LimitMode,
  type LimitPeriod,
  type LimitReserve,
  type LimitScope,
} from '../../quota/limits/limit-terms.data.js';
import {
  type ShownAmount,
  shownAmount,
  shownPeriod,
  shownTarget,
  shownWeights,
} from '../../quota/limits/shown-limit.rules.js';
import { Page, pageOf } from '../page.dto.js';
import { AMOUNT, LIMIT_ID, TEXT_OR_NULL, UUID_OR_NULL } from './limit-schemas.data.js';
import { TIME } from '../fields.data.js';

class CacheWeightsResponse {
  @ApiProperty({ type: 'number', example: 0.1 })
  cached_input: number;

  @ApiProperty({ type: 'number', example: 1.25 })
  cache_write: number;
}

class LimitForecastResponse {
  @ApiProperty({
    ...TIME,
    nullable: true,
    description:
      'When the limit will be reached, or the current time if it already is. Null if it will not be reached within the period, or for `total` within a year.',
  })
  reached_at: Date | null;

  @ApiProperty({
    ...AMOUNT,
    nullable: true,
    example: '310.20',
    description: 'Expected usage at the end of the period. Null if the period has no end.',
  })
  amount_at_reset: ShownAmount | null;

  @ApiProperty({
    enum: FORECAST_METHODS,
    description:
      '`linear_in_period`: as in the elapsed part of the period. `average_of_period`: as in the filled part of a rolling period. `average_of_7_days`: as in the last seven days.',
  })
  method: ForecastMethod;

  static of(forecast: Forecast, measure: LimitMeasure): LimitForecastResponse {
    const { reachedAtMs, amountAtReset, method } = forecast;
    return {
      reached_at: reachedAtMs === null ? null : new Date(reachedAtMs),
      amount_at_reset: amountAtReset === null ? null : shownAmount(measure, amountAtReset),
      method,
    };
  }
}

export class LimitResponse {
  @ApiProperty(LIMIT_ID)
  id: number;

  @ApiProperty({ ...TEXT_OR_NULL, example: 'Monthly budget' })
  name: string | null;

  @ApiProperty({ enum: LIMIT_SCOPES, example: 'team' })
  scope: LimitScope;

  @ApiProperty(UUID_OR_NULL)
  team_id: string | null;

  @ApiProperty({ ...UUID_OR_NULL, example: null })
  key_id: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, example: null })
  tag: string | null;

  @ApiProperty({ enum: LIMIT_MEASURES, example: 'cost' })
  measure: LimitMeasure;

  @ApiProperty({ enum: LIMIT_PERIODS, nullable: true, example: 'month', description: 'Null for concurrent requests.' })
  period: LimitPeriod | null;

  @ApiProperty({ example: 'UTC' })
  time_zone: string;

  @ApiProperty({
    type: [String],
    nullable: true,
    example: ['gpt-4o*'],
    description: 'Null if the limit counts all models.',
  })
  models: readonly string[] | null;

  @ApiProperty({ ...AMOUNT, example: '250' })
  amount: ShownAmount;

  @ApiProperty({ enum: LIMIT_MODES, example: 'enforce' })
  mode: LimitMode;

  @ApiProperty({ enum: LIMIT_RESERVES, example: 'typical' })
  reserve: LimitReserve;

  @ApiProperty({ type: CacheWeightsResponse, nullable: true, description: 'Null if all weights are 1.' })
  weights: CacheWeightsResponse | null;

  @ApiProperty({ ...TIME, nullable: true })
  starts_at: Date | null;

  @ApiProperty({ ...TIME, nullable: true })
  ends_at: Date | null;

  @ApiProperty({ example: true })
  enabled: boolean;

  @ApiProperty({ type: 'array', items: { type: 'integer' }, example: [50, 80, 100] })
  alert_thresholds: readonly number[];

  @ApiProperty({ ...AMOUNT, nullable: true, example: null })
  carry_over: ShownAmount | null;

  @ApiProperty(TIME)
  created_at: Date;

  @ApiProperty(TIME)
  updated_at: Date;

  @ApiProperty({ ...AMOUNT, example: '120.5', description: 'Used in the current period.' })
  used: ShownAmount;

  @ApiProperty({ ...AMOUNT, example: '0.75', description: 'Reserved by requests that run now.' })
  reserved: ShownAmount;

  @ApiProperty({
    ...AMOUNT,
    example: '0',
    description: 'The part of `used` that processes had reserved when they were killed.',
  })
  estimated: ShownAmount;

  @ApiProperty({
    ...AMOUNT,
    example: '178.75',
    description: '`effective_amount` without `used` and `reserved`, at least 0.',
  })
  remaining: ShownAmount;

  @ApiProperty({ ...AMOUNT, example: '300', description: '`amount` with `carried_over` and `top_ups`.' })
  effective_amount: ShownAmount;

  @ApiProperty({ ...AMOUNT, example: '0' })
  carried_over: ShownAmount;

  @ApiProperty({ ...AMOUNT, example: '50', description: 'Sum of the active top-ups.' })
  top_ups: ShownAmount;

  @ApiProperty({
    ...TIME,
    nullable: true,
    description:
      'Since when `used` counts: the start of the period, or of the oldest part of a rolling period, or the last reset. Null if it counts since the first request, or not at all.',
  })
  period_started_at: Date | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'End of the period. Null for rolling periods and `total`.' })
  resets_at: Date | null;

  @ApiProperty({
    type: LimitForecastResponse,
    nullable: true,
    description: 'Null if there is too little usage for a forecast.',
  })
  forecast: LimitForecastResponse | null;

  static of({ limit, figures }: ReadLimit): LimitResponse {
    const { measure } = limit;
    const amount = (units: number | bigint) => shownAmount(measure, units);
    const left = figures.effectiveAmount - figures.used - figures.reserved;
    return {
      id: limit.id,
      name: limit.name,
      ...shownTarget(limit),
      measure,
      period: shownPeriod(limit),
      time_zone: limit.zone,
      models: limit.models,
      amount: amount(limit.amount),
      mode: limit.mode,
      reserve: limit.reserve,
      weights: shownWeights(limit.weights),
      starts_at: limit.startsAt,
      ends_at: limit.endsAt,
      enabled: limit.enabled,
      alert_thresholds: limit.thresholds,
      carry_over: limit.carryOver === null ? null : amount(limit.carryOver),
      created_at: limit.createdAt,
      updated_at: limit.updatedAt,
      used: amount(figures.used),
      reserved: amount(figures.reserved),
      estimated: amount(figures.estimated),
      remaining: amount(left < 0n ? 0n : left),
      effective_amount: amount(figures.effectiveAmount),
      carried_over: amount(figures.carried),
      top_ups: amount(figures.topUps),
      period_started_at: dateOf(figures.periodStartedAtMs),
      resets_at: dateOf(figures.resetsAtMs),
      forecast: figures.forecast === null ? null : LimitForecastResponse.of(figures.forecast, measure),
    };
  }
}

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

export class LimitListResponse extends Page {
  @ApiProperty({ type: [LimitResponse] })
  limits: LimitResponse[];

  static of({ total, limits }: { total: number; limits: readonly ReadLimit[] }, offset: number): LimitListResponse {
    const rows = limits.map((limit) => LimitResponse.of(limit));
    return { ...pageOf(total, offset, rows.length), limits: rows };
  }
}
