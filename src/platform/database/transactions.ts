import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isStorageOutage } from './storage-outage.rules.js';

/** Stores and the audit log use the same transaction, so that a change and its audit row are written together. */
export type Transaction = EntityManager;

/** The connection was lost during the commit, so the changes are made, not made, or will still be made. */
export class OutcomeUnknown extends Error {
  readonly code = 'GW_OUTCOME_UNKNOWN';

  constructor(cause: unknown) {
    super('The database did not confirm the commit. The change can be made already, or can still be made.', { cause });
  }
}

@Injectable()
export class Transactions {
  constructor(private readonly source: DataSource) {}

  /**
   * Resolves after a commit to disk, even if the server's default for `synchronous_commit` is off.
   * @throws OutcomeUnknown if the commit was not confirmed; after any other error, nothing was changed
   */
  async run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    let isCommitting = false;
    try {
      return await this.source.transaction(async (transaction) => {
        await transaction.query('set local synchronous_commit = on');
        const result = await work(transaction);
        isCommitting = true;
        return result;
      });
    } catch (error) {
      throw isCommitting && isStorageOutage(error) ? new OutcomeUnknown(error) : error;
    }
  }
}
