import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  cachedRows,
  withFingerprint,
  type CachedRows,
  type FingerprintedRow,
} from '../../../platform/changes/change-polls.js';
import type { Transaction } from '../../../platform/database/transactions.js';

export interface Drain {
  readonly createdAt: Date;
  /** An operator's ID, or a kind of actor such as `cli`. */
  readonly createdBy: string;
}

interface DrainRow {
  readonly upstream: string;
  readonly created_at: Date;
  readonly created_by: string;
}

const ALL = withFingerprint('upstream_drains', 'upstream, created_at, created_by');

/** The upstreams that operators have drained. A row exists while an upstream drains. */
@Injectable()
export class DrainStore {
  constructor(private readonly source: DataSource) {}

  /** Returns the drains by upstream name. */
  async all(): Promise<CachedRows<Drain>> {
    const rows = await this.source.query<(DrainRow & FingerprintedRow)[]>(ALL);
    return cachedRows(rows, ({ upstream, created_at: createdAt, created_by: createdBy }) => [
      upstream,
      { createdAt, createdBy },
    ]);
  }

  /** Returns false if the upstream was draining before. */
  async insert(transaction: Transaction, upstream: string, createdBy: string): Promise<boolean> {
    const rows = await transaction.query<unknown[]>(
      'insert into upstream_drains (upstream, created_by) values ($1, $2) on conflict do nothing returning 1',
      [upstream, createdBy],
    );
    return rows.length > 0;
  }

  /** Returns false if the upstream was not draining. */
  async delete(transaction: Transaction, upstream: string): Promise<boolean> {
    // For a bare DELETE, TypeORM returns `[rows, count]`, so `rows.length > 0` would always be true.
    const rows = await transaction.query<unknown[]>(
      `with deleted as (delete from upstream_drains where upstream = $1 returning 1) select * from deleted`,
      [upstream],
    );
    return rows.length > 0;
  }
}
