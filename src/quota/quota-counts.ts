import type { KeySnapshot } from '../platform/request-context/key-snapshot.js';
import type { LimitClaim, OverLimit, ReservedClaim } from './limit-claims.js';

/** Numbered as in `windows.ts`. */
interface Windows {
  readonly minute: number;
  readonly day: number;
  readonly month: number;
}

/** The counts of a key, at one instant of the store's clock. */
export interface StoredCounts extends Windows {
  readonly version: number;
  /** Read after the key's row was locked. */
  readonly nowMs: number;
  readonly minuteUsed: number;
  readonly dayUsed: number;
  readonly monthUsed: number;
  /** Input and output tokens of the month. */
  readonly tokens: number;
  /** Reported in addition to these, for keys with `tokenCounting: all`. Admissions of other keys return 0. */
  readonly additionalTokens: number;
}

/** The key's own limits. */
export type QuotaLimits = Pick<
  KeySnapshot,
  'rpmLimit' | 'rpdLimit' | 'monthlyLimit' | 'monthlyTokenLimit' | 'tokenCounting'
>;

export interface AdmitEntry extends QuotaLimits {
  readonly keyId: string;
  /** If the version of the cached key is current, its limits are current too. */
  readonly version: number;
  readonly count: number;
  /** All requests of the key, in order of arrival. Absent if no limit applies to any of them. */
  readonly requests?: readonly ClaimedRequest[];
}

export interface ClaimedRequest {
  /** Orders the requests of all keys by arrival time. */
  readonly order: number;
  readonly items: readonly LimitClaim[];
}

/** The result of one request of a key with `requests`. */
export type ClaimedResult =
  | { readonly kind: 'admitted'; readonly reserved: readonly ReservedClaim[] }
  /** The verdict of the key's own limits. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'over-limit'; readonly over: OverLimit };

/** `counts` are the counts before the batch. The first `granted` requests pass, or those that `requests` names. */
export type AdmitResult =
  | {
      readonly kind: 'decided';
      readonly granted: number;
      readonly counts: StoredCounts;
      /** One per request, if the entry has `requests`. */
      readonly requests?: readonly ClaimedResult[];
    }
  /** The set of limits has changed. Nothing was counted. */
  | { readonly kind: 'stale-limits' }
  | { readonly kind: 'stale'; readonly version: number }
  | { readonly kind: 'unknown' };

/** A number is negative if the store has counted too many. */
export interface KeyCounts extends Windows {
  readonly keyId: string;
  readonly minuteCount: number;
  readonly dayCount: number;
  readonly monthCount: number;
}

export function requestsIn({ minute, day, month }: Windows, keyId: string, count: number): KeyCounts {
  return { keyId, minute, minuteCount: count, day, dayCount: count, month, monthCount: count };
}
