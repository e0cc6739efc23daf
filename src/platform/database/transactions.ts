import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** Stores and the audit log use the same transaction, so that a change and its audit row are written together. */
export type Transaction = EntityManager;

@Injectable()
export class Transactions {
  constructor(private readonly source: DataSource) {}

  /** Resolves after a commit to disk, even if the server's default for `synchronous_commit` is off. */
  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.source.transaction(async (transaction) => {
      await transaction.query('set local synchronous_commit = on');
      return work(transaction);
    });
  }
}
