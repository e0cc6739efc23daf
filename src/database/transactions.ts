import { Injectable, Module } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** One open transaction. Stores and the audit log take it, so that what they write is one with the change it belongs to. */
export type Transaction = EntityManager;

/** Runs changes that the admin API makes: all of it or nothing, and on the disk before the answer goes out. */
@Injectable()
export class Transactions {
  constructor(private readonly source: DataSource) {}

  /**
   * Resolves after the commit, which waits for the disk whatever the server's default is: an admin's answer is a promise.
   * Whatever `work` throws rolls back and is thrown on.
   */
  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.source.transaction(async (transaction) => {
      await transaction.query('set local synchronous_commit = on');
      return work(transaction);
    });
  }
}

@Module({ providers: [Transactions], exports: [Transactions] })
export class TransactionsModule {}
