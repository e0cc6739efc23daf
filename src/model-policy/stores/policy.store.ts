import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  cachedRows,
  withFingerprint,
  type CachedRows,
  type FingerprintedRow,
} from '../../platform/changes/change-polls.js';
import type { Transaction } from '../../platform/database/transactions.js';
import { ModelPolicy } from './model-policy.entity.js';

export type CurrentPolicy = Pick<ModelPolicy, 'enabled' | 'updatedAt'>;

/** Reads and writes `model_policies`. */
@Injectable()
export class PolicyStore {
  constructor(private readonly source: DataSource) {}

  async all(): Promise<CachedRows<CurrentPolicy>> {
    const rows =
      await this.source.query<(Pick<ModelPolicy, 'model' | 'enabled' | 'updatedAt'> & FingerprintedRow)[]>(ALL);
    return cachedRows(rows, ({ model, enabled, updatedAt }) => [model, { enabled, updatedAt }]);
  }

  list(): Promise<ModelPolicy[]> {
    return this.source.manager.find(ModelPolicy);
  }

  find(model: string): Promise<ModelPolicy | null> {
    return this.source.manager.findOneBy(ModelPolicy, { model });
  }

  /** Locks a model's policy until the transaction ends, even if there is no row yet, and returns the row. */
  async lock(transaction: Transaction, model: string): Promise<ModelPolicy | null> {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('model-policy:' || $1, 0))`, [model]);
    return transaction.findOneBy(ModelPolicy, { model });
  }

  async put(transaction: Transaction, row: Omit<ModelPolicy, 'updatedAt'>): Promise<ModelPolicy> {
    const [{ updated_at: updatedAt }] = await transaction.query<[{ updated_at: Date }]>(PUT, [
      row.model,
      row.enabled,
      row.note,
      row.updatedBy,
    ]);
    return { ...row, updatedAt };
  }

  async delete(transaction: Transaction, model: string): Promise<void> {
    await transaction.delete(ModelPolicy, { model });
  }
}

const ALL = withFingerprint('model_policies', 'model, enabled, updated_at as "updatedAt"');

const PUT = `
  insert into model_policies (model, enabled, note, updated_at, updated_by)
  values ($1, $2, $3, clock_timestamp(), $4)
  on conflict (model) do update
     set enabled = excluded.enabled, note = excluded.note, updated_at = excluded.updated_at, updated_by = excluded.updated_by
  returning updated_at`;
