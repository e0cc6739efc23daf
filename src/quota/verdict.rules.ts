import type { LimitName } from '../platform/errors/error-factories.js';
import type { QuotaFigures } from '../platform/request-context/key-snapshot.js';
import type { OverLimit, ReservedClaim } from './limit-claims.js';
import type { AdmitResult, ClaimedResult, QuotaLimits, StoredCounts } from './quota-counts.js';
import { dayResetsAtMs, minuteResetsAtMs, monthResetsAtMs, secondsUntil } from './windows.js';

/**
 * After `stale` or `unknown`, the caller reads the key and checks it again. After `stale-limits`, it reads the limits and claims
 * again.
 */
export type Verdict =
  | {
      readonly kind: 'admitted';
      readonly figures: QuotaFigures;
      /** Absent without claims. */
      readonly reserved?: readonly ReservedClaim[];
    }
  | {
      readonly kind: 'refused';
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

/** Returns one verdict per request, in order of arrival. Refused requests share one object. */
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
    const refused = refusedBy(figuresOf(counts, limits, granted));
    while (verdicts.length < count) verdicts.push(refused);
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
    if (request.kind === 'refused') return refusedBy(figures);
    if (request.kind === 'over-limit') return { ...request, figures };
    nth += 1;
    return { ...request, figures: figuresOf(counts, limits, nth) };
  });
}

function refusedBy(figures: QuotaFigures): Verdict {
  const limit = firstFull(figures);
  const retryAfterSeconds = secondsUntil(figures[limit].resetsAtMs, figures.nowMs);
  return { kind: 'refused', limit, retryAfterSeconds, figures };
}

/** Checks the limits in the order of D1. At least one limit is reached, so the last one needs no check. */
function firstFull({ minute, day, month }: QuotaFigures): LimitName {
  if (minute.used >= minute.limit) return 'minute';
  if (day.used >= day.limit) return 'day';
  if (month.limit !== null && month.used >= month.limit) return 'month';
  return 'tokens';
}
