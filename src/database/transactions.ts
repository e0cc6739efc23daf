import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** An open transaction. Stores and the audit log take it, so that a change and its audit row are written together. */
export type Transaction = EntityManager;

/** Runs changes of the Admin API. */
@Injectable()
export class Transactions {
  constructor(private readonly source: DataSource) {}

  /** Resolves after the commit, which waits for the disk whatever the server's default is. */
  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.source.transaction(async (transaction) => {
      await transaction.query('set local synchronous_commit = on');
      return work(transaction);
    });
  }
}
