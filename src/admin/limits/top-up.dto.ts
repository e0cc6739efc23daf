import { ApiProperty } from '@nestjs/swagger';
import type { Limit } from '../../quota/limits/limit.js';
import { type ShownAmount, shownAmount } from '../../quota/limits/shown-limit.rules.js';
import type { TopUp } from '../../quota/limits/top-ups.service.js';
import { CREATED_BY } from '../admin.decorators.js';
import { Page, pageOf } from '../page.dto.js';
import { AMOUNT, TEXT_OR_NULL } from './limit-schemas.data.js';
import { TIME } from '../fields.data.js';

export class TopUpResponse {
  @ApiProperty({ type: 'integer', minimum: 1, example: 3 })
  id: number;

  @ApiProperty({ ...AMOUNT, example: '50' })
  amount: ShownAmount;

  @ApiProperty(TIME)
  starts_at: Date;

  @ApiProperty({ ...TIME, nullable: true, description: 'Null if the top-up does not expire.' })
  expires_at: Date | null;

  @ApiProperty({ example: false })
  is_expired: boolean;

  @ApiProperty({ ...TEXT_OR_NULL, example: 'Launch week' })
  note: string | null;

  @ApiProperty(TIME)
  created_at: Date;

  @ApiProperty(CREATED_BY)
  created_by: string;

  static of({ topUp, limit: { measure } }: { topUp: TopUp; limit: Limit }): TopUpResponse {
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
  @ApiProperty({ type: [TopUpResponse], description: 'Newest first, including expired top-ups.' })
  top_ups: TopUpResponse[];

  static of(
    { limit, total, topUps }: { limit: Limit; total: number; topUps: TopUp[] },
    offset: number,
  ): TopUpListResponse {
    return {
      ...pageOf(total, offset, topUps.length),
      top_ups: topUps.map((topUp) => TopUpResponse.of({ topUp, limit })),
    };
  }
}
