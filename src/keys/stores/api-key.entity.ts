import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { TokenCounting } from '../../platform/request-context/key-snapshot.js';
import type { KeyStatus } from '../key-state.rules.js';

/** pg returns bigint as text. The column holds at most 2^53 - 1 (D16). */
const bigintAsNumber = {
  to: (value: number | null): number | null => value,
  from: (value: string | null): number | null => (value === null ? null : Number(value)),
};
/** TypeORM cannot express the order of these indexes. Declaring them keeps a schema diff from dropping them. */
const CREATED_BY_MIGRATION = { synchronize: false } as const;
const TIMESTAMP = { type: 'timestamp with time zone', precision: 3 } as const;

@Entity('api_keys')
@Check('api_keys_status', `status IN ('active', 'suspended', 'revoked')`)
@Check('api_keys_token_counting', `token_counting IN ('specification', 'all')`)
@Index('api_keys_created_at', CREATED_BY_MIGRATION)
@Index('api_keys_updated_at', CREATED_BY_MIGRATION)
@Index('api_keys_name', CREATED_BY_MIGRATION)
@Index('api_keys_last_used_at', CREATED_BY_MIGRATION)
@Index('api_keys_key_hash', CREATED_BY_MIGRATION)
@Index('api_keys_imported_hash', CREATED_BY_MIGRATION)
@Index('api_keys_status', CREATED_BY_MIGRATION)
@Index('api_keys_expires_at', CREATED_BY_MIGRATION)
@Index('api_keys_team_id', CREATED_BY_MIGRATION)
@Index('api_keys_tags', CREATED_BY_MIGRATION)
export class ApiKey {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'api_keys_pkey' })
  id: string;

  @Column({ type: 'character varying', length: 255 })
  name: string;

  /** SHA-256 of the raw key (D24). Queries must select it explicitly. */
  @Column({ name: 'key_hash', type: 'bytea', select: false })
  keyHash: Buffer;

  /** SHA-256 with which the key was imported, or null. It stays when the key is rotated. */
  @Column({ name: 'imported_hash', type: 'bytea', nullable: true, select: false })
  importedHash: Buffer | null;

  @Column({ name: 'key_hint', type: 'text' })
  keyHint: string;

  @ForeignKey('Team', { name: 'api_keys_team', onDelete: 'RESTRICT' })
  @Column({ name: 'team_id', type: 'uuid', nullable: true })
  teamId: string | null;

  @Column({ type: 'text', array: true, default: '{}' })
  tags: string[];

  @Column({ type: 'text', default: 'active' })
  status: KeyStatus;

  @Column({ name: 'rpm_limit', type: 'integer', default: 60 })
  rpmLimit: number;

  @Column({ name: 'rpd_limit', type: 'integer', default: 10000 })
  rpdLimit: number;

  /** null means unlimited. */
  @Column({ name: 'monthly_limit', type: 'integer', nullable: true })
  monthlyLimit: number | null;

  @Column({ name: 'monthly_token_limit', type: 'bigint', nullable: true, transformer: bigintAsNumber })
  monthlyTokenLimit: number | null;

  @Column({ name: 'token_counting', type: 'text', default: 'specification' })
  tokenCounting: TokenCounting;

  /** null and an empty array mean no restriction. */
  @Column({ name: 'allowed_models', type: 'text', array: true, nullable: true })
  allowedModels: string[] | null;

  @Column({ ...TIMESTAMP, name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column({ ...TIMESTAMP, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ ...TIMESTAMP, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;

  @Column({ ...TIMESTAMP, name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @Column({ ...TIMESTAMP, name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  /** The list's `name` filter searches this column, which a trigger computes. */
  @Column({ type: 'text', select: false, insert: false, update: false })
  search: string;
}
