import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transaction } from '../../../platform/database/transactions.js';

export interface Drain {
  readonly createdAt: Date;
  /** An operator's ID, or a kind of actor such as `cli`. */
  readonly createdBy: string;
}

@Injectable()
export class DrainStore {
  constructor(private readonly source: DataSource) {}

  async all(): Promise<Map<string, Drain>> {
    const rows = await this.source.query<{ upstream: string; created_at: Date; created_by: string }[]>(
      'select upstream, created_at, created_by from upstream_drains',
    );
    return new Map(
      rows.map(({ upstream, created_at: createdAt, created_by: createdBy }) => [upstream, { createdAt, createdBy }]),
    );
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
    const rows = await transaction.query<unknown[]>(
      `with deleted as (delete from upstream_drains where upstream = $1 returning 1) select * from deleted`,
      [upstream],
    );
    return rows.length > 0;
  }
}
