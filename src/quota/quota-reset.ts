import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transactions.js';
import { readCountsIn, type CountedRequests } from './stores/key-quota.sql.js';

export type { CountedRequests } from './stores/key-quota.sql.js';

export const RESETTABLE_WINDOWS = ['minute', 'day', 'month', 'all'] as const;

/** A window whose requests restart at zero; `all`: all three windows. */
export type ResettableWindow = (typeof RESETTABLE_WINDOWS)[number];

/**
 * Resets the counted requests of a key. Separate from `QuotaStore`, because it is part of an admin's transaction, which has
 * a connection of its own. Tokens stay as they are.
 */
@Injectable()
export class QuotaReset {
  /** Waits for no lock: requests admitted before the reset can still be added. Null: the key does not exist. */
  counted(transaction: Transaction, keyId: string): Promise<CountedRequests | null> {
    return readCountsIn(transaction, keyId);
  }

  /**
   * Must be the last statement of its transaction: it locks the row on which admission waits until the commit. The lock
   * orders the two. A batch counted before it is wiped; a later one finds a newer version and is judged again. So once the
   * admin has the response, every process counts from zero (D3).
   */
  async reset(transaction: Transaction, keyId: string, window: ResettableWindow): Promise<void> {
    await transaction.query(RESET, [keyId, window]);
  }
}

// The version rises, so that no request is judged by the counts before.
const RESET = `
with reset as (
  update key_quota
     set version = greatest(version + 1, (date_part('epoch', clock_timestamp()) * 1e6)::bigint),
         minute_count = case when $2 in ('minute', 'all') then 0 else minute_count end,
         day_count    = case when $2 in ('day', 'all')    then 0 else day_count end,
         month_count  = case when $2 in ('month', 'all')  then 0 else month_count end
   where key_id = $1
  returning key_id
)
select pg_notify('gw_key', key_id::text) from reset`;
