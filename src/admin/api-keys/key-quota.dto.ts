import { ApiProperty } from '@nestjs/swagger';
import type { KeyFigures } from '../../keys/key-quota.service.js';
import type { KeyStatus } from '../../keys/key-state.rules.js';
import { RESETTABLE_WINDOWS, type ResettableWindow } from '../../quota/quota-reset.js';
import { secondsUntil } from '../../quota/utc-windows.rules.js';
import type { QuotaFigures, WindowFigures } from '../../platform/request-context/key-snapshot.js';
import { COUNT, KEY_ID } from '../fields.data.js';

const LIMIT = { type: 'integer', minimum: 1 } as const;
const time = (example: string) => ({ type: 'string', format: 'date-time', example }) as const;

class QuotaLimits {
  @ApiProperty({ ...LIMIT, example: 60, description: 'Request limit per minute.' })
  rpm: number;

  @ApiProperty({ ...LIMIT, example: 10_000, description: 'Request limit per day.' })
  rpd: number;

  @ApiProperty({ ...LIMIT, nullable: true, example: 200_000, description: 'Null if unlimited.' })
  monthly_requests: number | null;

  @ApiProperty({ ...LIMIT, nullable: true, example: 5_000_000, description: 'Null if unlimited.' })
  monthly_tokens: number | null;
}

class QuotaWindow {
  @ApiProperty({ ...COUNT, example: 12, description: 'Requests in the current minute or day.' })
  count: number;

  @ApiProperty({ ...COUNT, example: 48, description: 'Requests left, at least 0.' })
  remaining: number;

  @ApiProperty({ ...time('2026-07-14T09:31:00.000Z'), description: 'Start of the next minute or day.' })
  reset_at: Date;

  @ApiProperty({ ...LIMIT, example: 18, description: 'Seconds from `checked_at` to `reset_at`, rounded up.' })
  reset_in_seconds: number;

  static of({ limit, used, resetsAtMs }: WindowFigures, nowMs: number): QuotaWindow {
    return {
      count: used,
      remaining: remainingOf(limit, used),
      reset_at: new Date(resetsAtMs),
      reset_in_seconds: secondsUntil(resetsAtMs, nowMs),
    };
  }
}

class QuotaMonth {
  @ApiProperty({ ...COUNT, example: 4_210 })
  request_count: number;

  @ApiProperty({
    ...COUNT,
    nullable: true,
    example: 195_790,
    description: 'Requests left, at least 0. Null if unlimited.',
  })
  request_remaining: number | null;

  @ApiProperty({
    ...COUNT,
    example: 1_204_998,
    description: 'Recorded tokens that the key counts, at most one second behind.',
  })
  token_count: number;

  @ApiProperty({
    ...COUNT,
    nullable: true,
    example: 3_795_002,
    description: 'Tokens left, at least 0. Null if unlimited.',
  })
  token_remaining: number | null;

  @ApiProperty(time('2026-08-01T00:00:00.000Z'))
  reset_at: Date;

  static of({ month, tokens }: QuotaFigures): QuotaMonth {
    return {
      request_count: month.used,
      request_remaining: remainingOf(month.limit, month.used),
      token_count: tokens.used,
      token_remaining: remainingOf(tokens.limit, tokens.used),
      reset_at: new Date(month.resetsAtMs),
    };
  }
}

class QuotaWindows {
  @ApiProperty()
  minute: QuotaWindow;

  @ApiProperty()
  day: QuotaWindow;

  @ApiProperty()
  month: QuotaMonth;
}

export class KeyQuotaResponse {
  @ApiProperty(KEY_ID)
  key_id: string;

  @ApiProperty({ enum: ['active', 'suspended', 'revoked'], example: 'active' })
  status: KeyStatus;

  @ApiProperty()
  limits: QuotaLimits;

  @ApiProperty()
  current: QuotaWindows;

  @ApiProperty({ ...time('2026-07-14T09:30:42.118Z'), description: 'Time of these values.' })
  checked_at: Date;

  static of({ key, figures }: KeyFigures): KeyQuotaResponse {
    const { nowMs, minute, day } = figures;
    return {
      key_id: key.id,
      status: key.status,
      limits: {
        rpm: key.rpmLimit,
        rpd: key.rpdLimit,
        monthly_requests: key.monthlyLimit,
        monthly_tokens: key.monthlyTokenLimit,
      },
      current: {
        minute: QuotaWindow.of(minute, nowMs),
        day: QuotaWindow.of(day, nowMs),
        month: QuotaMonth.of(figures),
      },
      checked_at: new Date(nowMs),
    };
  }
}

export class QuotaResetResponse {
  @ApiProperty(KEY_ID)
  key_id: string;

  @ApiProperty({ enum: RESETTABLE_WINDOWS, example: 'minute' })
  window: ResettableWindow;

  @ApiProperty({ enum: [true], example: true })
  reset: true;
}

function remainingOf<L extends number | null>(limit: L, used: number): L {
  return (limit === null ? null : Math.max(0, limit - used)) as L;
}
