import { Injectable, Logger } from '@nestjs/common';
import { Admission } from '../admission.service.js';
import type { ActualUsage, Reservation, SettledRequest } from '../../platform/request-context/reservation.js';
import type { LimitClaims, ReservedClaim } from '../limit-claims.js';
import type { ActiveLimit, CacheWeights } from './limit.js';
import { ApplicableLimits } from './applicable-limits.service.js';
import { cachedInputIn, cacheWritesIn, outputTokensIn, plainInputIn, CostBounds } from './cost-bounds.service.js';
import { HiddenReasoning } from './estimate/hidden-reasoning.service.js';
import { TypicalOutputs } from './estimate/typical-outputs.js';

/** The claims of one request, with what its settlement needs. */
export interface RequestClaims extends LimitClaims {
  /** All limits that apply. Those under which the request is free have no claim. */
  readonly claimed: readonly ClaimedLimit[];
  readonly output: ExpectedOutput;
}

export interface ClaimedLimit {
  readonly limit: ActiveLimit;
  readonly amounts: ClaimedAmounts;
}

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

export interface ExpectedOutput {
  /** The number of texts that the provider generates. 0 for other output than text, which is not recorded as typical. */
  readonly choices: number;
  readonly models: readonly string[];
  readonly asksForReasoning: boolean;
}

/** The reservation of one request to which limits apply. */
export class LimitReservation implements Reservation {
  readonly requiresMeteredUsage: boolean;
  readonly countsUsage: boolean;
  private readonly claimed: ReadonlyMap<number, ClaimedLimit>;
  private isConcurrencyReleased = false;
  private settled = false;

  constructor(
    private readonly settlement: LimitSettlement,
    private readonly claims: RequestClaims,
    private readonly reserved: readonly ReservedClaim[],
  ) {
    const metered = claims.claimed.filter(({ limit }) => isMetered(limit));
    this.countsUsage = metered.length > 0;
    this.requiresMeteredUsage = metered.some(({ limit }) => limit.mode === 'enforce');
    this.claimed = new Map(claims.claimed.map((each) => [each.limit.id, each]));
  }

  releaseConcurrency(): void {
    if (this.isConcurrencyReleased) return;
    this.isConcurrencyReleased = true;
    const slots = this.reserved.filter((claim) => claim.holds && this.isConcurrent(claim));
    if (slots.length > 0) this.settlement.ledger.settle(slots, new Array<number>(slots.length).fill(0));
  }

  settle(request: SettledRequest, actual: ActualUsage | null): void {
    if (this.settled) return;
    this.settled = true;
    this.releaseConcurrency();
    this.settleHeld(request, actual);
    this.chargeFree(request, actual);
    this.settlement.chargeNewer(this.claims, request, actual);
    this.noteOutput(request, actual);
  }

  private settleHeld(request: SettledRequest, actual: ActualUsage | null): void {
    const held = this.reserved.filter((claim) => claim.holds && !this.isConcurrent(claim));
    if (held.length === 0) return;
    const isHiding = actual !== null && actual.proof !== 'reported' && this.canHideOutput(request);
    const spent = held.map(({ limitId }) =>
      actual === null ? 0 : this.settlement.spentUnder(this.claimed.get(limitId)!, actual, isHiding),
    );
    this.settlement.ledger.settle(held, spent);
  }

  /** Charges limits under which the request reserved nothing, because it seemed to be free. */
  private chargeFree(request: SettledRequest, actual: ActualUsage | null): void {
    if (actual === null || this.reserved.length === this.claimed.size) return;
    const free = this.claims.claimed.filter(({ amounts }) => amounts.most === 0);
    this.settlement.charge(
      free.map(({ limit }) => ({ limitId: limit.id, spent: knownUnder(limit, actual) })),
      request,
    );
  }

  private canHideOutput({ upstream }: SettledRequest): boolean {
    const { choices, models, asksForReasoning } = this.claims.output;
    if (choices === 0) return false;
    const served = upstream.model === null ? models : [...models, upstream.model];
    return this.settlement.reasoning.isPossible(served, asksForReasoning);
  }

  /** Only reported usage is typical. A client could otherwise lower it with responses that it interrupts. */
  private noteOutput({ key, model }: SettledRequest, actual: ActualUsage | null): void {
    const { choices } = this.claims.output;
    if (choices === 0 || key === null || actual?.proof !== 'reported') return;
    const tokens = outputTokensIn(actual.units);
    if (tokens > 0) this.settlement.outputs.note(key.id, model, Math.ceil(tokens / choices));
  }

  private isConcurrent({ limitId }: ReservedClaim): boolean {
    return this.claimed.get(limitId)?.limit.measure === 'concurrent_requests';
  }
}

/** The reservation of requests to which no limit applies. They share it while the set of limits stays the same. */
export class NothingReserved implements Reservation {
  readonly requiresMeteredUsage = false;
  readonly countsUsage = false;

  constructor(
    private readonly settlement: LimitSettlement,
    private readonly claims: RequestClaims,
  ) {}

  releaseConcurrency(): void {}

  settle(request: SettledRequest, actual: ActualUsage | null): void {
    this.settlement.chargeNewer(this.claims, request, actual);
  }
}

/** Computes what requests have used under limits, and records it in the ledger. */
@Injectable()
export class LimitSettlement {
  readonly outputs = new TypicalOutputs();
  private readonly logger = new Logger('limits');

  constructor(
    readonly limits: ApplicableLimits,
    readonly ledger: Admission,
    readonly bounds: CostBounds,
    readonly reasoning: HiddenReasoning,
  ) {}

  /** Counts a request under limits that were created while it ran. The usage from which they started does not include it. */
  chargeNewer({ setVersion, claimed }: RequestClaims, request: SettledRequest, actual: ActualUsage | null): void {
    if (this.limits.version === setVersion) return;
    const newer = this.limits
      .of(request)
      .filter(({ id, version }) => version > setVersion && !claimed.some(({ limit }) => limit.id === id));
    this.charge(
      newer.map((limit) => ({ limitId: limit.id, spent: this.unclaimedUnder(limit, actual) })),
      request,
    );
  }

  charge(usage: readonly { readonly limitId: number; readonly spent: number }[], { figures }: SettledRequest): void {
    if (figures === null) return;
    const atUs = Math.floor(figures.nowMs * 1000);
    const charges = usage.filter(({ spent }) => spent > 0).map(({ limitId, spent }) => ({ limitId, atUs, spent }));
    if (charges.length > 0) this.ledger.charge(charges);
  }

  /** @param isHiding whether the output can contain reasoning that did not arrive */
  spentUnder(claimed: ClaimedLimit, actual: ActualUsage, isHiding: boolean): number {
    const spent = this.atLeastUnder(claimed, actual, isHiding);
    if (spent <= PLAUSIBLE_MAX) return spent;
    const { limit, amounts } = claimed;
    this.logger.error(
      `Implausible usage of one request was replaced by the reserved amount under the limit ${limit.id}`,
    );
    return amounts.expected;
  }

  private unclaimedUnder(limit: ActiveLimit, actual: ActualUsage | null): number {
    if (limit.measure === 'requests') return 1;
    if (limit.measure === 'concurrent_requests' || actual === null) return 0;
    return this.spentUnder({ limit, amounts: NOTHING_EXPECTED }, actual, false);
  }

  /** Usage that the provider has not proven counts at the highest of all figures that the gateway knows (ADR 0043). */
  private atLeastUnder({ limit, amounts }: ClaimedLimit, actual: ActualUsage, isHiding: boolean): number {
    const { expected, typicalOfOne, most, mostOfOne } = amounts;
    const isPartlyUnpriced = limit.measure === 'cost' && actual.hasUnpricedUsage;
    const assumed = isPartlyUnpriced ? (this.bounds.assumed(actual) ?? expected) : 0;
    const known = Math.max(knownUnder(limit, actual), assumed);
    switch (actual.proof) {
      case 'reported':
        return known;
      case 'delivered':
        return Math.max(known, isHiding ? Math.min(most, mostOfOne * actual.choices) : 0);
      case 'unknown':
        return Math.max(known, expected, isHiding ? most : 0);
      case 'unmeasured':
        return Math.max(known, most);
      case 'abandoned':
        return typicalOfOne;
      default:
        return actual.proof satisfies never;
    }
  }
}

/** No request uses more. If a provider reports more, the amount that was expected counts. */
const PLAUSIBLE_MAX = 2 ** 48;
const NOTHING_EXPECTED: ClaimedAmounts = { expected: 0, typicalOfOne: 0, most: 0, mostOfOne: 0 };
const NO_WEIGHTS: CacheWeights = { cachedInput: 1, cacheWrite: 1 };

export const isMetered = ({ measure }: ActiveLimit): boolean =>
  measure !== 'requests' && measure !== 'concurrent_requests';

/** The recorded usage in the unit of the limit. A cost is a lower bound if some usage has no price. */
const knownUnder = (limit: ActiveLimit, { units, costNanodollars }: ActualUsage): number =>
  limit.measure === 'cost' ? Number(costNanodollars ?? 0) : tokensUnder(limit, units);

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
