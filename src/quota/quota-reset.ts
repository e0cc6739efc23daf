import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transactions.js';
import { LOOK } from './stores/look.sql.js';
import { RESET } from './stores/reset.sql.js';

export const RESETTABLE_WINDOWS = ['minute', 'day', 'month', 'all'] as const;

/** A window whose requests begin at nothing again; `all`: the three of them. */
export type ResettableWindow = (typeof RESETTABLE_WINDOWS)[number];

/** Requests counted in the windows of this moment. */
export interface CountedRequests {
  readonly minute: number;
  readonly day: number;
  readonly month: number;
}

/**
 * Lets the requests of a key begin at nothing again. Beside `QuotaStore`, because it is part of an admin's transaction,
 * which is on a connection of its own. Tokens stay as they are.
 */
@Injectable()
export class QuotaReset {
  /** Waits for nobody: what is admitted before the reset itself may still come on top. Null: there is no such key. */
  async counted(transaction: Transaction, keyId: string): Promise<CountedRequests | null> {
    const [row] = await transaction.query<{ mu: number; du: number; mou: string }[]>(LOOK.text, [[keyId]]);
    return row === undefined ? null : { minute: row.mu, day: row.du, month: Number(row.mou) };
  }

  /**
   * The last statement of its transaction: it takes the row on which admission waits until the commit. That lock is what
   * orders the two: a batch counted before it is wiped, one that comes after it finds the version raised and is judged
   * anew, so once the admin is answered every process begins at nothing (D3).
   */
  async reset(transaction: Transaction, keyId: string, window: ResettableWindow): Promise<void> {
    await transaction.query(RESET, [keyId, window]);
  }
}
