import { ApiProperty } from '@nestjs/swagger';
import type { DayRange } from '../../stats/reports/usage-range.rules.js';
import type { KeyUsageHistory, UsageFigures, UsageSummary } from '../../stats/reports/usage.read-model.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
const DAY = { format: 'date', example: '2026-07-31' } as const;
const KEY_ID = { format: 'uuid', example: '5f0c2f7e-9d3b-4c1a-8e55-0a1b2c3d4e5f' } as const;

export class UsageFiguresResponse {
  @ApiProperty({ ...COUNT, description: 'Admitted requests.', example: 12 })
  requests: number;

  @ApiProperty({
    ...COUNT,
    description: 'Admitted requests with a 4xx or 5xx response, or with an error in a 200 response.',
    example: 1,
  })
  errors: number;

  @ApiProperty({ ...COUNT, example: 121 })
  input_tokens: number;

  @ApiProperty({ ...COUNT, example: 77 })
  output_tokens: number;

  @ApiProperty({ ...COUNT, example: 198 })
  total_tokens: number;

  @ApiProperty({ ...COUNT, description: 'Part of `total_tokens` that the gateway estimated.', example: 0 })
  estimated_tokens: number;

  static figures({ requests, errors, inputTokens, outputTokens, estimatedTokens }: UsageFigures): UsageFiguresResponse {
    return {
      requests,
      errors,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      estimated_tokens: estimatedTokens,
    };
  }
}

class DailyUsage extends UsageFiguresResponse {
  @ApiProperty(DAY)
  date: string;

  static of({ day, ...figures }: UsageSummary['daily'][number]): DailyUsage {
    return { date: day, ...this.figures(figures) };
  }
}

class MonthlyUsage extends UsageFiguresResponse {
  @ApiProperty({ pattern: '^\\d{4}-\\d{2}$', example: '2026-07' })
  month: string;

  static of({ month, ...figures }: KeyUsageHistory['monthly'][number]): MonthlyUsage {
    return { month, ...this.figures(figures) };
  }
}

class UsageOfKey extends UsageFiguresResponse {
  @ApiProperty(KEY_ID)
  key_id: string;

  @ApiProperty({ type: String, nullable: true, example: 'billing service' })
  key_name: string | null;

  static of({ keyId, keyName, ...figures }: UsageSummary['byKey'][number]): UsageOfKey {
    return { key_id: keyId, key_name: keyName, ...this.figures(figures) };
  }
}

class UsageOfModel extends UsageFiguresResponse {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'null for requests without a model.',
    example: 'gpt-4o-mini',
  })
  model: string | null;

  static of({ model, ...figures }: UsageSummary['byModel'][number]): UsageOfModel {
    return { model, ...this.figures(figures) };
  }
}

export class UsageResponse {
  @ApiProperty({ enum: ['usage'] })
  object: 'usage';

  @ApiProperty(DAY)
  from: string;

  @ApiProperty({ ...DAY, description: 'Last day, included.' })
  to: string;

  @ApiProperty({ type: UsageFiguresResponse })
  totals: UsageFiguresResponse;

  @ApiProperty({ type: [DailyUsage], description: 'Days with usage, newest first.' })
  daily: DailyUsage[];

  @ApiProperty({ type: [UsageOfKey], description: 'The 500 keys with the most requests, in descending order.' })
  by_key: UsageOfKey[];

  @ApiProperty({ type: [UsageOfModel], description: 'The 500 models with the most requests, in descending order.' })
  by_model: UsageOfModel[];

  static of({ from, to }: DayRange, { totals, daily, byKey, byModel }: UsageSummary): UsageResponse {
    return {
      object: 'usage',
      from,
      to,
      totals: UsageFiguresResponse.figures(totals),
      daily: daily.map((day) => DailyUsage.of(day)),
      by_key: byKey.map((key) => UsageOfKey.of(key)),
      by_model: byModel.map((model) => UsageOfModel.of(model)),
    };
  }
}

export class KeyUsageResponse {
  @ApiProperty(KEY_ID)
  key_id: string;

  @ApiProperty({ type: [DailyUsage], description: 'Days with usage, newest first.' })
  daily: DailyUsage[];

  @ApiProperty({ type: [MonthlyUsage], description: 'Whole months with usage, newest first.' })
  monthly: MonthlyUsage[];

  static of(keyId: string, { daily, monthly }: KeyUsageHistory): KeyUsageResponse {
    return {
      key_id: keyId,
      daily: daily.map((day) => DailyUsage.of(day)),
      monthly: monthly.map((month) => MonthlyUsage.of(month)),
    };
  }
}
