import { Injectable } from '@nestjs/common';
import { sqlFile } from '../platform/database/sql-file.js';
import type { Transaction } from '../platform/database/transactions.js';
import { readCountsIn, type CountedRequests } from './ledger/key-admission.js';

export type { CountedRequests } from './ledger/key-admission.js';

const RESET = sqlFile(import.meta.url, './reset-quota.sql');

export const RESETTABLE_WINDOWS = ['minute', 'day', 'month', 'all'] as const;

export type ResettableWindow = (typeof RESETTABLE_WINDOWS)[number];

/** Separate from `QuotaStore`, because it runs in an admin's transaction on another connection. */
@Injectable()
export class QuotaReset {
  /** Reads without a lock, so requests admitted before the reset can still be added. Null for an unknown key. */
  counted(transaction: Transaction, keyId: string): Promise<CountedRequests | null> {
    return readCountsIn(transaction, keyId);
  }

  /**
   * Resets requests, but not tokens. Must be the last statement of the transaction, because it locks the row on which
   * admission waits. A batch before the reset is erased. A later batch finds a newer version and is checked again, so every
   * process counts from zero after the commit (D3).
   */
  async reset(transaction: Transaction, keyId: string, window: ResettableWindow): Promise<void> {
    await transaction.query(RESET, [keyId, window]);
  }
}
