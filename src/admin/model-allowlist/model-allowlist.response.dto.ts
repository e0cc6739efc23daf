import { ApiProperty } from '@nestjs/swagger';
import {
  ALLOWLIST_AVAILABILITIES,
  LISTED_CATEGORIES,
  type AllowlistAvailability,
  type AllowlistRow,
  type ListedCategory,
} from '../../model-policy/model-allowlist.rules.js';

/** A model of the catalog, of the policy, or of both. */
export class ModelAllowlistRow {
  @ApiProperty({ example: 'gpt-4o-mini' })
  model: string;

  @ApiProperty({ type: Boolean, nullable: true, description: 'null: there is no policy row.' })
  enabled: boolean | null;

  @ApiProperty({
    enum: ALLOWLIST_AVAILABILITIES,
    description:
      '`allowlist_only`: a policy row for a model that the upstream does not list; `allowlist_unverified`: the same while the upstream cannot be asked.',
  })
  availability: AllowlistAvailability;

  @ApiProperty({ enum: LISTED_CATEGORIES, nullable: true, description: 'null: not known.' })
  category: ListedCategory | null;

  @ApiProperty({ type: String, nullable: true })
  provider: string | null;

  @ApiProperty({ type: String, nullable: true })
  note: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  updated_at: Date | null;

  @ApiProperty({ type: String, nullable: true, description: "An operator's id, or `admin_key`." })
  updated_by: string | null;

  static of({ updatedAt, updatedBy, ...row }: AllowlistRow): ModelAllowlistRow {
    return { ...row, updated_at: updatedAt, updated_by: updatedBy };
  }
}

export class ModelAllowlistResponse {
  @ApiProperty({ type: 'integer', description: 'All that match, whatever `limit` and `offset`.' })
  total: number;

  @ApiProperty()
  has_more: boolean;

  @ApiProperty({ type: [ModelAllowlistRow] })
  models: ModelAllowlistRow[];

  static of({ total, rows }: { total: number; rows: AllowlistRow[] }, offset: number): ModelAllowlistResponse {
    return { total, has_more: offset + rows.length < total, models: rows.map((row) => ModelAllowlistRow.of(row)) };
  }
}

export class DeletedModelPolicyResponse {
  @ApiProperty()
  model: string;

  @ApiProperty({ enum: [true] })
  deleted: true;
}
