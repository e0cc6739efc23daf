import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, IsUUID } from 'class-validator';
import {
  keyOf,
  LOST_CHANGE_DECISIONS,
  policyOf,
  type LostChange,
  type LostChangeDecision,
} from '../../audit/lost-changes/lost-change.js';
import { ApiField } from '../../platform/validation/input.decorators.js';
import { QueryFlag } from '../../platform/validation/query-fields.js';
import { Page, PageRequest, pageOf } from '../page.dto.js';
import { TIME } from '../fields.data.js';

const IDS_MAX = 1000;

export class ListLostChangesRequest extends PageRequest {
  @QueryFlag({ description: '`false` lists only changes without a decision, `true` only those with one.' })
  decided?: boolean;
}

export class DecideLostChangesRequest {
  @ApiField({
    example: ['6f1c2f0e-3c0a-4c55-9d43-1f2b7c9a8e10'],
    description: 'IDs of lost changes. Without it, the decision is about all of them.',
  })
  @IsUUID('loose', { each: true })
  @ArrayMaxSize(IDS_MAX)
  @ArrayMinSize(1)
  @IsArray()
  @IsOptional()
  ids?: string[] | null;
}

export class LostChangeResponse {
  @ApiProperty({
    format: 'uuid',
    example: '6f1c2f0e-3c0a-4c55-9d43-1f2b7c9a8e10',
    description: 'ID of the lost audit row.',
  })
  id: string;

  @ApiProperty(TIME)
  at: Date;

  @ApiProperty({ example: 'api_key.revoked' })
  action: string;

  @ApiProperty({ example: 'operator' })
  actor_type: string;

  @ApiProperty({ type: 'string', nullable: true, example: null })
  actor_id: string | null;

  @ApiProperty({ example: 'api_key' })
  target_type: string;

  @ApiProperty({ type: 'string', nullable: true, example: '0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90' })
  target_id: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'Checkout service', description: 'Name of a key.' })
  target_name: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'revoked',
    description:
      'Status of the key (`active` for a rotated one), or `enabled` or `blocked` for a model. Null if the gateway does not remember the change.',
  })
  remembered: string | null;

  @ApiProperty(TIME)
  detected_at: Date;

  @ApiProperty({ enum: LOST_CHANGE_DECISIONS, nullable: true, example: null })
  decision: LostChangeDecision | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  decided_at: Date | null;

  @ApiProperty({ type: 'string', nullable: true, example: null })
  decided_by: string | null;

  static of(change: LostChange): LostChangeResponse {
    const policy = policyOf(change);
    return {
      id: change.id,
      at: new Date(change.at),
      action: change.action,
      actor_type: change.actorType,
      actor_id: change.actorId,
      target_type: change.targetType,
      target_id: change.targetId,
      target_name: change.targetName,
      remembered: policy === null ? (keyOf(change)?.status ?? null) : policy.enabled ? 'enabled' : 'blocked',
      detected_at: change.detectedAt,
      decision: change.decision,
      decided_at: change.decidedAt,
      decided_by: change.decidedBy,
    };
  }
}

export class LostChangeListResponse extends Page {
  @ApiProperty({ type: [LostChangeResponse] })
  changes: LostChangeResponse[];

  static of({ total, changes }: { total: number; changes: readonly LostChange[] }, offset: number) {
    return {
      ...pageOf(total, offset, changes.length),
      changes: changes.map((change) => LostChangeResponse.of(change)),
    };
  }
}

export class DecidedLostChangesResponse {
  @ApiProperty({ type: [LostChangeResponse] })
  changes: LostChangeResponse[];

  static of(changes: readonly LostChange[]): DecidedLostChangesResponse {
    return { changes: changes.map((change) => LostChangeResponse.of(change)) };
  }
}
