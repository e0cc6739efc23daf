import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transactions.js';
import { readCountsIn, type CountedRequests } from './ledger/key-admission.js';

export type { CountedRequests } from './ledger/key-admission.js';

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

// Increments the version, so that no request is checked against the old counts.
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
