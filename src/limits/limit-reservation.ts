import { Logger } from '@nestjs/common';
import type { ActualUsage, Reservation, SettledRequest } from '../request-context/reservation.js';
import type { LimitLedger, ReservedClaim } from '../quota/limit-claims.js';
import type { ActiveLimit, CacheWeights } from './limit.js';
import type { ApplicableLimits } from './applicable-limits.service.js';
import { cachedInputIn, cacheWritesIn, outputTokensIn, plainInputIn, type CostBounds } from './cost-bounds.service.js';
import type { TypicalOutputs } from './estimate/typical-outputs.js';

const logger = new Logger('limits');

/** A limit that applies to a request. */
export interface ClaimedLimit {
  readonly limit: ActiveLimit;
  /** The amount that counts if the usage remains unknown, in the unit of the limit. */
  readonly expected: number;
}

export interface Settlement {
  readonly limits: Pick<ApplicableLimits, 'version' | 'of'>;
  readonly ledger: LimitLedger;
  readonly bounds: Pick<CostBounds, 'assumed'>;
  readonly outputs: TypicalOutputs;
}

/** The reservation of requests to which no limit applies. They share it while the set of limits stays the same. */
export class NothingReserved implements Reservation {
  readonly metered = false;

  constructor(
    private readonly settlement: Settlement,
    private readonly setVersion: number,
  ) {}

  end(): void {}

  settle(request: SettledRequest, actual: ActualUsage | null): void {
    chargeNewer(this.settlement, this.setVersion, NO_LIMITS, request, actual);
  }
}

/** The reservation of one request to which limits apply. */
export class LimitReservation implements Reservation {
  readonly metered: boolean;
  private readonly limits: ReadonlyMap<number, ClaimedLimit>;
  private ended = false;
  private settled = false;

  /**
   * @param setVersion the version of the set of limits from which the claims come
   * @param choices the number of responses that the provider generates; 0 if the output is not recorded
   */
  constructor(
    private readonly settlement: Settlement,
    private readonly setVersion: number,
    claimed: readonly ClaimedLimit[],
    private readonly reserved: readonly ReservedClaim[],
    private readonly choices: number,
  ) {
    this.limits = new Map(claimed.map((each) => [each.limit.id, each]));
    this.metered = claimed.some(({ limit }) => isMetered(limit) && limit.mode === 'enforce');
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    const places = this.reserved.filter((claim) => claim.holds && this.isConcurrent(claim));
    if (places.length > 0) this.settlement.ledger.settle(places, new Array<number>(places.length).fill(0));
  }

  settle(request: SettledRequest, actual: ActualUsage | null): void {
    if (this.settled) return;
    this.settled = true;
    this.end();
    const held = this.reserved.filter((claim) => claim.holds && !this.isConcurrent(claim));
    const { bounds, ledger, outputs } = this.settlement;
    const spent = held.map(({ limitId, asked }) => {
      const claimed = this.limits.get(limitId);
      return claimed === undefined || actual === null ? 0 : spentUnder(claimed, asked, actual, bounds);
    });
    if (held.length > 0) ledger.settle(held, spent);
    chargeNewer(this.settlement, this.setVersion, this.limits, request, actual);
    const output = actual === null ? 0 : outputTokensIn(actual.units);
    if (this.choices > 0 && output > 0 && request.key !== null)
      outputs.note(request.key.id, request.model, Math.ceil(output / this.choices));
  }

  private isConcurrent({ limitId }: ReservedClaim): boolean {
    return this.limits.get(limitId)?.limit.measure === 'concurrent_requests';
  }
}

const NO_LIMITS: ReadonlyMap<number, unknown> = new Map();

export const isMetered = ({ measure }: ActiveLimit): boolean =>
  measure !== 'requests' && measure !== 'concurrent_requests';

/** No request uses more. If a provider reports more, the amount that was expected counts. */
const PLAUSIBLE_MAX = 2 ** 48;

function spentUnder(claimed: ClaimedLimit, asked: number, actual: ActualUsage, bounds: Settlement['bounds']): number {
  const spent = reportedUnder(claimed, asked, actual, bounds);
  if (spent <= PLAUSIBLE_MAX) return spent;
  logger.error(
    `Implausible usage of one request was replaced by the reserved amount under the limit ${claimed.limit.id}`,
  );
  return Math.max(asked, claimed.expected);
}

function reportedUnder(
  { limit, expected }: ClaimedLimit,
  asked: number,
  actual: ActualUsage,
  bounds: Settlement['bounds'],
): number {
  const { units, nanos, unknown, unpriced } = actual;
  const isCost = limit.measure === 'cost';
  const known = isCost ? Number(nanos ?? 0) : tokensUnder(limit, units);
  const atLeast = Math.max(known, asked, expected);
  if (unknown) return atLeast;
  return isCost && unpriced ? Math.max(known, bounds.assumed(actual) ?? atLeast) : known;
}

const NO_WEIGHTS: CacheWeights = { cachedInput: 1, cacheWrite: 1 };

/** Tokens that a limit counts, rounded up. Each cache token counts by its weight. */
export function tokensUnder({ measure, weights }: ActiveLimit, units: ActualUsage['units']): number {
  const { cachedInput, cacheWrite } = weights ?? NO_WEIGHTS;
  const output = measure === 'input_tokens' ? 0 : outputTokensIn(units);
  if (measure === 'output_tokens') return output;
  // Weights have three decimals, so thousandths are exact.
  const caches =
    cachedInputIn(units) * Math.round(cachedInput * 1000) + cacheWritesIn(units) * Math.round(cacheWrite * 1000);
  return output + plainInputIn(units) + Math.ceil(caches / 1000);
}

/** Counts a request under limits that were created while it ran. The usage from which they started does not include it. */
function chargeNewer(
  { limits, ledger, bounds }: Settlement,
  setVersion: number,
  claimed: ReadonlyMap<number, unknown>,
  request: SettledRequest,
  actual: ActualUsage | null,
): void {
  const { figures } = request;
  if (limits.version === setVersion || figures === null) return;
  const atUs = Math.floor(figures.nowMs * 1000);
  const charges = limits
    .of(request)
    .filter((limit) => limit.version > setVersion && !claimed.has(limit.id))
    .map((limit) => ({ limitId: limit.id, atUs, spent: newlySpent(limit, actual, bounds) }))
    .filter(({ spent }) => spent > 0);
  if (charges.length > 0) ledger.charge(charges);
}

function newlySpent(limit: ActiveLimit, actual: ActualUsage | null, bounds: Settlement['bounds']): number {
  if (limit.measure === 'requests') return 1;
  if (limit.measure === 'concurrent_requests' || actual === null) return 0;
  return spentUnder({ limit, expected: 0 }, 0, actual, bounds);
}
