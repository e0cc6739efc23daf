import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { KeyStatus } from '../key-state.rules.js';

/** pg returns bigint as text. The conversion is exact, because the column holds at most 2^53 - 1 (D16). */
const bigintAsNumber = {
  to: (value: number | null): number | null => value,
  from: (value: string | null): number | null => (value === null ? null : Number(value)),
};
/** Migrations create these indexes, because TypeORM cannot express their order. Declaring them keeps a schema diff from dropping them. */
const BY_MIGRATION = { synchronize: false } as const;
const MOMENT = { type: 'timestamp with time zone', precision: 3 } as const;

/** An API key. Only the hash of the raw key is stored (D24). */
@Entity('api_keys')
@Check('api_keys_status', `status IN ('active', 'suspended', 'revoked')`)
@Index('api_keys_created_at', BY_MIGRATION)
@Index('api_keys_updated_at', BY_MIGRATION)
@Index('api_keys_name', BY_MIGRATION)
@Index('api_keys_last_used_at', BY_MIGRATION)
@Index('api_keys_key_hash', BY_MIGRATION)
@Index('api_keys_status', BY_MIGRATION)
@Index('api_keys_expires_at', BY_MIGRATION)
export class ApiKey {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'api_keys_pkey' })
  id: string;

  @Column({ type: 'character varying', length: 255 })
  name: string;

  /** SHA-256 of the raw key. Queries must select it explicitly. */
  @Column({ name: 'key_hash', type: 'bytea', select: false })
  keyHash: Buffer;

  @Column({ name: 'key_hint', type: 'text' })
  keyHint: string;

  @Column({ type: 'text', default: 'active' })
  status: KeyStatus;

  @Column({ name: 'rpm_limit', type: 'integer', default: 60 })
  rpmLimit: number;

  @Column({ name: 'rpd_limit', type: 'integer', default: 10000 })
  rpdLimit: number;

  /** null: unlimited. */
  @Column({ name: 'monthly_limit', type: 'integer', nullable: true })
  monthlyLimit: number | null;

  @Column({ name: 'monthly_token_limit', type: 'bigint', nullable: true, transformer: bigintAsNumber })
  monthlyTokenLimit: number | null;

  /** null or empty: no restriction. */
  @Column({ name: 'allowed_models', type: 'text', array: true, nullable: true })
  allowedModels: string[] | null;

  @Column({ ...MOMENT, name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column({ ...MOMENT, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ ...MOMENT, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;

  @Column({ ...MOMENT, name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @Column({ ...MOMENT, name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  /** The text that the list's `name` filter searches. A trigger computes it. */
  @Column({ type: 'text', select: false, insert: false, update: false })
  search: string;
}
