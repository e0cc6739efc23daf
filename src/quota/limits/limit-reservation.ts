import { Injectable, Logger } from '@nestjs/common';
import { Admission } from '../admission.service.js';
import type { ActualUsage, Reservation, SettledRequest } from '../../platform/request-context/reservation.js';
import type { LimitCharge, ReservedClaim } from '../limit-claims.js';
import type { ActiveLimit, CacheWeights } from './limit.js';
import { ApplicableLimits } from './applicable-limits.service.js';
import { cachedInputIn, cacheWritesIn, outputTokensIn, plainInputIn, CostBounds } from './cost-bounds.service.js';
import { HiddenReasoning } from './estimate/hidden-reasoning.service.js';
import { TypicalOutputs } from './estimate/typical-outputs.js';

const logger = new Logger('limits');

/** The possible usage of one request under a limit, in the unit of the limit. */
export interface ClaimedAmounts {
  /** The amount that the limit reserves, or, if it reserves nothing, the likely usage. */
  readonly expected: number;
  /** The likely usage with one text or image instead of all that the request asks for. */
  readonly typicalOfOne: number;
  /** The highest usage that the request and its models allow, with everything or with one text or image. */
  readonly most: number;
  readonly mostOfOne: number;
}

export interface ClaimedLimit {
  readonly limit: ActiveLimit;
  readonly amounts: ClaimedAmounts;
}

export interface ExpectedOutput {
  /** The number of texts that the provider generates. 0 for other output than text, which is not recorded as typical. */
  readonly choices: number;
  readonly models: readonly string[];
  readonly asksForReasoning: boolean;
}

@Injectable()
export class LimitSettlement {
  readonly outputs = new TypicalOutputs();

  constructor(
    readonly limits: ApplicableLimits,
    readonly ledger: Admission,
    readonly bounds: CostBounds,
    readonly reasoning: HiddenReasoning,
  ) {}
}

/** The reservation of requests to which no limit applies. They share it while the set of limits stays the same. */
export class NothingReserved implements Reservation {
  readonly metered = false;
  readonly countsUsage = false;

  constructor(
    private readonly settlement: LimitSettlement,
    private readonly setVersion: number,
  ) {}

  end(): void {}

  settle(request: SettledRequest, actual: ActualUsage | null): void {
    chargeNewer(this.settlement, { setVersion: this.setVersion, limits: NO_LIMITS }, request, actual);
  }
}

/** The reservation of one request to which limits apply. */
export class LimitReservation implements Reservation {
  readonly metered: boolean;
  readonly countsUsage: boolean;
  private readonly limits: ReadonlyMap<number, ClaimedLimit>;
  private ended = false;
  private settled = false;

  /** @param setVersion the version of the set of limits from which the claims come */
  constructor(
    private readonly settlement: LimitSettlement,
    private readonly setVersion: number,
    claimed: readonly ClaimedLimit[],
    private readonly reserved: readonly ReservedClaim[],
    private readonly output: ExpectedOutput,
  ) {
    this.limits = new Map(claimed.map((each) => [each.limit.id, each]));
    const metered = claimed.filter(({ limit }) => isMetered(limit));
    this.countsUsage = metered.length > 0;
    this.metered = metered.some(({ limit }) => limit.mode === 'enforce');
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
    const spent = held.map(({ limitId }) => this.spentUnder(limitId, request, actual));
    if (held.length > 0) this.settlement.ledger.settle(held, spent);
    this.chargeFree(request, actual);
    chargeNewer(this.settlement, { setVersion: this.setVersion, limits: this.limits }, request, actual);
    this.noteOutput(request, actual);
  }

  private spentUnder(limitId: number, request: SettledRequest, actual: ActualUsage | null): number {
    const claimed = this.limits.get(limitId);
    if (claimed === undefined || actual === null) return 0;
    const hidden = actual.proof !== 'reported' && this.canHideOutput(request);
    return plausible(spentUnder(claimed, actual, hidden, this.settlement.bounds), claimed);
  }

  private canHideOutput({ upstream }: SettledRequest): boolean {
    const { choices, models, asksForReasoning } = this.output;
    if (choices === 0) return false;
    const served = upstream.model === null ? models : [...models, upstream.model];
    return this.settlement.reasoning.isPossible(served, asksForReasoning);
  }

  /** Charges limits under which the request reserved nothing, because it seemed to be free. */
  private chargeFree({ figures }: SettledRequest, actual: ActualUsage | null): void {
    if (actual === null || figures === null || this.reserved.length === this.limits.size) return;
    const charges: LimitCharge[] = [];
    for (const { limit, amounts } of this.limits.values()) {
      if (amounts.most > 0) continue;
      const spent = knownUnder(limit, actual);
      if (spent > 0) charges.push({ limitId: limit.id, atUs: Math.floor(figures.nowMs * 1000), spent });
    }
    if (charges.length > 0) this.settlement.ledger.charge(charges);
  }

  /** Only reported usage is typical. A client could otherwise lower it with responses that it interrupts. */
  private noteOutput({ key, model }: SettledRequest, actual: ActualUsage | null): void {
    const { choices } = this.output;
    if (choices === 0 || key === null || actual?.proof !== 'reported') return;
    const tokens = outputTokensIn(actual.units);
    if (tokens > 0) this.settlement.outputs.note(key.id, model, Math.ceil(tokens / choices));
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

function plausible(spent: number, { limit, amounts }: ClaimedLimit): number {
  if (spent <= PLAUSIBLE_MAX) return spent;
  logger.error(`Implausible usage of one request was replaced by the reserved amount under the limit ${limit.id}`);
  return amounts.expected;
}

/**
 * The amount that counts under a limit. Usage that the provider has not proven counts at the highest of all figures that the gateway
 * knows (ADR 0043).
 * @param hidden whether the output can contain reasoning that did not arrive
 */
function spentUnder(
  { limit, amounts }: ClaimedLimit,
  actual: ActualUsage,
  hidden: boolean,
  bounds: LimitSettlement['bounds'],
): number {
  const { expected, typicalOfOne, most, mostOfOne } = amounts;
  const isPartlyUnpriced = limit.measure === 'cost' && actual.unpriced;
  const atLeast = isPartlyUnpriced ? (bounds.assumed(actual) ?? expected) : 0;
  const known = Math.max(knownUnder(limit, actual), atLeast);
  switch (actual.proof) {
    case 'reported':
      return known;
    case 'delivered':
      return Math.max(known, hidden ? Math.min(most, mostOfOne * actual.choices) : 0);
    case 'unknown':
      return Math.max(known, expected, hidden ? most : 0);
    case 'unmeasured':
      return Math.max(known, most);
    case 'abandoned':
      return typicalOfOne;
    default:
      return actual.proof satisfies never;
  }
}

/** The recorded usage in the unit of the limit. A cost is a lower bound if some usage has no price. */
const knownUnder = (limit: ActiveLimit, { units, nanos }: ActualUsage): number =>
  limit.measure === 'cost' ? Number(nanos ?? 0) : tokensUnder(limit, units);

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

interface ClaimedSet {
  readonly setVersion: number;
  readonly limits: ReadonlyMap<number, unknown>;
}

/** Counts a request under limits that were created while it ran. The usage from which they started does not include it. */
function chargeNewer(
  { limits, ledger, bounds }: LimitSettlement,
  claimed: ClaimedSet,
  request: SettledRequest,
  actual: ActualUsage | null,
): void {
  const { figures } = request;
  if (limits.version === claimed.setVersion || figures === null) return;
  const atUs = Math.floor(figures.nowMs * 1000);
  const charges = limits
    .of(request)
    .filter((limit) => limit.version > claimed.setVersion && !claimed.limits.has(limit.id))
    .map((limit) => ({ limitId: limit.id, atUs, spent: newlySpent(limit, actual, bounds) }))
    .filter(({ spent }) => spent > 0);
  if (charges.length > 0) ledger.charge(charges);
}

const NOTHING_EXPECTED: ClaimedAmounts = { expected: 0, typicalOfOne: 0, most: 0, mostOfOne: 0 };

function newlySpent(limit: ActiveLimit, actual: ActualUsage | null, bounds: LimitSettlement['bounds']): number {
  if (limit.measure === 'requests') return 1;
  if (limit.measure === 'concurrent_requests' || actual === null) return 0;
  const claimed = { limit, amounts: NOTHING_EXPECTED };
  return plausible(spentUnder(claimed, actual, false, bounds), claimed);
}
