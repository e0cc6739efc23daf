import { ApiProperty } from '@nestjs/swagger';
import type { ActiveLimit, ReadLimit } from '../../limits/limit.js';
import {
  LIMIT_MEASURES,
  LIMIT_MODES,
  LIMIT_PERIODS,
  LIMIT_SCOPES,
  type LimitMeasure,
  type LimitMode,
  type LimitPeriod,
  type LimitScope,
} from '../../limits/limit-terms.data.js';
import { type ShownAmount, shownAmount, shownPeriod } from '../../limits/shown-limit.rules.js';
import { withoutCredentials } from '../../telemetry/redact.js';

const AMOUNT = { oneOf: [{ type: 'string' as const }, { type: 'integer' as const, minimum: 0 }] };
const FIGURE = { ...AMOUNT, nullable: true, description: 'Null while the database is unavailable.' };

/** A limit of the key, its team, one of its tags or the account. Amounts of costs are dollars as decimal strings. */
export class LimitUsage {
  @ApiProperty({ type: 'integer', minimum: 1 })
  id: number;

  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  @ApiProperty({ enum: LIMIT_SCOPES })
  scope: LimitScope;

  @ApiProperty({ enum: LIMIT_MEASURES })
  measure: LimitMeasure;

  @ApiProperty({ enum: LIMIT_PERIODS, nullable: true, description: 'Null for concurrent requests.' })
  period: LimitPeriod | null;

  @ApiProperty({ type: [String], nullable: true, description: 'Null if all models count.' })
  models: readonly string[] | null;

  @ApiProperty({ ...AMOUNT, description: 'Dollars as a decimal string for costs, otherwise an integer.' })
  amount: ShownAmount;

  @ApiProperty(FIGURE)
  used: ShownAmount | null;

  @ApiProperty(FIGURE)
  reserved: ShownAmount | null;

  @ApiProperty(FIGURE)
  remaining: ShownAmount | null;

  @ApiProperty({
    ...{ type: String, format: 'date-time', nullable: true },
    description: 'End of the period. Null for rolling periods, for `total`, and while the database is unavailable.',
  })
  resets_at: string | null;

  @ApiProperty({ enum: LIMIT_MODES, description: 'A limit with `observe` refuses nothing.' })
  mode: LimitMode;

  static of({ limit, figures }: ReadLimit): LimitUsage {
    const { effectiveAmount, used, reserved, resetsAtMs } = figures;
    const left = effectiveAmount - used - reserved;
    return {
      ...namesOf(limit),
      amount: shownAmount(limit.measure, effectiveAmount),
      ...{ used: shownAmount(limit.measure, used), reserved: shownAmount(limit.measure, reserved) },
      remaining: shownAmount(limit.measure, left < 0n ? 0n : left),
      resets_at: resetsAtMs === null ? null : new Date(resetsAtMs).toISOString(),
      mode: limit.mode,
    };
  }

  static withoutFigures(limit: ActiveLimit): LimitUsage {
    const unknown = { used: null, reserved: null, remaining: null, resets_at: null };
    return { ...namesOf(limit), amount: shownAmount(limit.measure, limit.amount), ...unknown, mode: limit.mode };
  }
}

const namesOf = (limit: ReadLimit['limit'] | ActiveLimit) => ({
  ...{ id: limit.id, name: limit.name === null ? null : withoutCredentials(limit.name), scope: limit.scope },
  ...{ measure: limit.measure, period: shownPeriod(limit), models: limit.models },
});
