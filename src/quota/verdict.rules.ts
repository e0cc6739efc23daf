import type { LimitName } from '../platform/errors/error-factories.js';
import type { KeySnapshot, QuotaFigures } from '../platform/request-context/key-snapshot.js';
import type { LimitClaim, OverLimit, ReservedClaim } from './limit-claims.js';
import { dayResetsAtMs, minuteResetsAtMs, monthResetsAtMs, secondsUntil, type Windows } from './utc-windows.rules.js';

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
  | { readonly kind: 'rejected' }
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

/**
 * After `stale` or `unknown`, the caller reads the key and checks it again. After `stale-limits`, it reads the limits and claims
 * again.
 */
export type Verdict =
  | {
      readonly kind: 'admitted';
      readonly figures: QuotaFigures;
      readonly reserved?: readonly ReservedClaim[];
    }
  | {
      readonly kind: 'rejected';
      readonly limit: LimitName;
      readonly retryAfterSeconds: number;
      readonly figures: QuotaFigures;
    }
  | { readonly kind: 'over-limit'; readonly over: OverLimit; readonly figures: QuotaFigures }
  | { readonly kind: 'stale' }
  | { readonly kind: 'stale-limits' }
  | { readonly kind: 'unknown' };

export interface CurrentKey {
  readonly version: number;
  readonly figures: QuotaFigures;
}

export const STALE: Verdict = { kind: 'stale' };
export const STALE_LIMITS: Verdict = { kind: 'stale-limits' };
const UNKNOWN: Verdict = { kind: 'unknown' };

/** Returns one verdict per request, in order of arrival. Rejected requests share one object. */
export function verdictsOf(result: AdmitResult, limits: QuotaLimits, count: number): Verdict[] {
  switch (result.kind) {
    case 'stale':
      return new Array<Verdict>(count).fill(STALE);
    case 'stale-limits':
      return new Array<Verdict>(count).fill(STALE_LIMITS);
    case 'unknown':
      return new Array<Verdict>(count).fill(UNKNOWN);
    case 'decided':
      return result.requests === undefined
        ? decided(result.granted, result.counts, limits, count)
        : decidedUnderLimits(result.requests, result.granted, result.counts, limits);
    default:
      return result satisfies never;
  }
}

/** The tokens that are compared with the key's limit, as in the store's SQL statement. */
export const countedTokens = (counts: StoredCounts, { tokenCounting }: QuotaLimits): number =>
  tokenCounting === 'all' ? counts.tokens + counts.additionalTokens : counts.tokens;

/** @param admitted requests to add to the stored counts */
export function figuresOf(counts: StoredCounts, limits: QuotaLimits, admitted = 0): QuotaFigures {
  const monthEndsAtMs = monthResetsAtMs(counts.month);
  return {
    nowMs: counts.nowMs,
    minute: {
      limit: limits.rpmLimit,
      used: counts.minuteUsed + admitted,
      resetsAtMs: minuteResetsAtMs(counts.minute),
    },
    day: { limit: limits.rpdLimit, used: counts.dayUsed + admitted, resetsAtMs: dayResetsAtMs(counts.day) },
    month: { limit: limits.monthlyLimit, used: counts.monthUsed + admitted, resetsAtMs: monthEndsAtMs },
    tokens: { limit: limits.monthlyTokenLimit, used: countedTokens(counts, limits), resetsAtMs: monthEndsAtMs },
  };
}

function decided(granted: number, counts: StoredCounts, limits: QuotaLimits, count: number): Verdict[] {
  const verdicts: Verdict[] = [];
  for (let nth = 1; nth <= Math.min(granted, count); nth++) {
    verdicts.push({ kind: 'admitted', figures: figuresOf(counts, limits, nth) });
  }
  if (verdicts.length < count) {
    const rejected = rejectedBy(figuresOf(counts, limits, granted));
    while (verdicts.length < count) verdicts.push(rejected);
  }
  return verdicts;
}

function decidedUnderLimits(
  requests: readonly ClaimedResult[],
  granted: number,
  counts: StoredCounts,
  limits: QuotaLimits,
): Verdict[] {
  let nth = 0;
  const figures = figuresOf(counts, limits, granted);
  return requests.map((request) => {
    if (request.kind === 'rejected') return rejectedBy(figures);
    if (request.kind === 'over-limit') return { ...request, figures };
    nth += 1;
    return { ...request, figures: figuresOf(counts, limits, nth) };
  });
}

function rejectedBy(figures: QuotaFigures): Verdict {
  const limit = firstFull(figures);
  const retryAfterSeconds = secondsUntil(figures[limit].resetsAtMs, figures.nowMs);
  return { kind: 'rejected', limit, retryAfterSeconds, figures };
}

/** Checks the limits in the order of D1. At least one limit is reached, so the last one needs no check. */
function firstFull({ minute, day, month }: QuotaFigures): LimitName {
  if (minute.used >= minute.limit) return 'minute';
  if (day.used >= day.limit) return 'day';
  if (month.limit !== null && month.used >= month.limit) return 'month';
  return 'tokens';
}
