/** The largest claim that keeps the sums of a batch exact. In nano-dollars, it is 8,796 dollars. */
export const ASKED_MAX = 2 ** 43;

/** The amount that a request asks for under one limit. */
export interface LimitClaim {
  readonly limitId: number;
  /** In the unit of the limit: requests, tokens or nano-dollars. An integer from 1 to `ASKED_MAX`. */
  readonly asked: number;
  /** False for limits of requests, which count as used at once. Other claims are reserved, and settled at the end. */
  readonly holds: boolean;
  /**
   * By how much the request can exceed `asked`, up to `ASKED_MAX`. 0 if that does not matter. Requests that run together are admitted
   * only if they cannot use more than twice the limit.
   */
  readonly overdraft: number;
}

/** The claims of a request, one per limit. A rejection names the first limit that does not fit, in this order. */
export interface LimitClaims {
  /** The version of the set of limits from which the claims come. */
  readonly setVersion: number;
  readonly items: readonly LimitClaim[];
}

export interface ReservedClaim extends LimitClaim {
  /** The period that counts it. Null if the limit was not active, so that it counts nothing. */
  readonly period: number | null;
  /** When the request was served from memory, without the database (D22), in microseconds since 1970. Null otherwise. */
  readonly servedAtUs: number | null;
}

/** Usage that was not reserved, because the request was admitted before the limit existed or without the database. */
export interface LimitCharge {
  readonly limitId: number;
  /** When the request was admitted, in microseconds since 1970. A later period does not count it. */
  readonly atUs: number;
  /** Negative if requests were counted at this time, but not admitted. */
  readonly spent: number;
}

/** Records the usage of requests. It is stored exactly once, within about 25 ms while the database is available. */
export interface LimitLedger {
  /**
   * Releases the reserved amounts, and counts the used amounts. Each claim must be settled exactly once. Claims that hold nothing
   * can be omitted.
   * @param spent the usage of each claim; 0 for concurrent requests
   */
  settle(reserved: readonly ReservedClaim[], spent: readonly number[]): void;
  charge(charges: readonly LimitCharge[]): void;
}

export const NO_CLAIMS: LimitClaims = { setVersion: 0, items: [] };

/** Why a limit rejects a request. Figures are in the unit of the limit, at the time of the rejection, and can exceed 2^53. */
export interface OverLimit {
  readonly limitId: number;
  readonly asked: number;
  readonly amount: bigint;
  readonly used: bigint;
  readonly held: bigint;
  /** Everything that running requests and this one can use in the period. */
  readonly possible: bigint;
  /**
   * When the period ends, or when so much usage has left a rolling period that the request fits. Milliseconds since 1970. Null if never. It
   * can be unknown during an outage.
   */
  readonly untilMs: number | 'unknown' | null;
}
