import { Injectable } from '@nestjs/common';
import { AppliedPrices, type AppliedPrice } from '../../costs/applied-price.service.js';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/config.js';
import type { TokenPrices } from '../../platform/config/setting-kinds.js';
import type { Api } from '../../platform/config/upstreams/upstreams-file.js';
import { type CostContext, costOf } from '../../costs/pricing/request-cost.rules.js';
import type { PriceRow } from '../../costs/pricing/price-row.js';
import type { UsageKinds } from '../../costs/pricing/request-units.rules.js';
import { UpstreamCandidates, type Candidate } from '../../model-policy/upstream-candidates.service.js';
import type { JsonObject } from '../../platform/validation/check.js';
import type { FallbackModels } from './estimate/fallback-models.js';

/** The part of a request that decides its price. */
export interface PricedCall {
  readonly api: Api;
  readonly model: string | null;
  readonly json: JsonObject | null;
  readonly fallbacks: FallbackModels;
}

const MILLION = 1_000_000n;

/** Computes what a request can cost before it is known which upstream serves it. */
@Injectable()
export class CostBounds {
  constructor(
    private readonly prices: AppliedPrices,
    private readonly candidates: UpstreamCandidates,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Returns the prices of all upstreams and models that can serve the request. Upstreams without a price use `GW_UNPRICED_COST`, as do
   * fallbacks that the provider chooses. If it is unset, they are ignored. Null means that no upstream has a price, or that the body
   * names too many fallbacks to compare.
   */
  of(call: PricedCall): PossiblePrices | null {
    const { unpricedCost } = this.config;
    // Otherwise, 64 cheap names could hide an expensive one.
    if (call.fallbacks.more) return null;
    const prices = this.pricesOf(call);
    const known = distinct(prices.filter((price) => price !== null));
    const assumed = prices.includes(null) ? unpricedCost : null;
    if (known.length === 0 && assumed === null) return null;
    return new PossiblePrices(known, assumed, requestedBy(call.json));
  }

  /** The cost of usage at the price of `GW_UNPRICED_COST`. Null if it is unset. */
  assumed(usage: Pick<UsageKinds, 'units'>): number | null {
    const { unpricedCost } = this.config;
    return unpricedCost === null ? null : assumedNanos(usage, unpricedCost);
  }

  private pricesOf({ api, model, fallbacks }: PricedCall): (AppliedPrice | null)[] {
    const atMs = this.clock.now();
    const prices = this.placesOf(api, model).flatMap(({ upstream: { name, baseUrl }, model: sent, requested }) => {
      const place = { provider: name, baseUrl, atMs };
      const names = namesOf(sent, requested);
      const price = this.prices.priceOf({ ...place, models: names });
      // A router without a price for a fallback is billed for the model that the request names.
      const others = fallbacks.names.map((fallback) => this.prices.priceOf({ ...place, models: [fallback] }));
      return [price, ...others.filter((other) => other !== null)];
    });
    return fallbacks.providerChooses ? [...prices, null] : prices;
  }

  private placesOf(api: Api, model: string | null): readonly Candidate[] {
    if (model === null) return this.candidates.withoutModel(api);
    return [...this.candidates.of(model, api).candidates, ...this.candidates.fallbacksOf(model, api)];
  }
}

/** The distinct names of a model: as sent, and as requested. */
function namesOf(sent: string | null, requested: string | null): string[] {
  const names = sent === null || sent === '' ? [] : [sent];
  if (requested !== null && requested !== '' && requested !== sent) names.push(requested);
  return names;
}

/** Several upstreams and models often have the same price. */
function distinct(prices: readonly AppliedPrice[]): readonly AppliedPrice[] {
  if (prices.length === 1) return prices;
  const regionsOf = new Map<PriceRow, Set<string | null>>();
  return prices.filter(({ row, region }) => {
    const regions = regionsOf.get(row);
    if (regions?.has(region) === true) return false;
    if (regions === undefined) regionsOf.set(row, new Set([region]));
    else regions.add(region);
    return true;
  });
}

/** The prices that can apply to one request. */
export class PossiblePrices {
  constructor(
    private readonly known: readonly AppliedPrice[],
    private readonly assumed: TokenPrices | null,
    private readonly requested: Pick<CostContext, 'requestedTier' | 'requestedRegion'>,
  ) {}

  /** The highest cost of the usage, in nano-dollars. Null if some of its kinds have no price. */
  highestCostOf(usage: UsageKinds): number | null {
    let highest = this.assumed === null ? null : assumedNanos(usage, this.assumed);
    for (const price of this.known) {
      const nanos = this.nanosOf(usage, price);
      if (nanos !== null && (highest === null || nanos > highest)) highest = nanos;
    }
    return highest;
  }

  /** All of the output can be reasoning, which can have a higher price. */
  private nanosOf(usage: UsageKinds, { row, region }: AppliedPrice): number | null {
    const context: CostContext = { ...this.requested, serviceTier: null, region };
    const plain = nanosAt(usage, row, context);
    const { output = 0 } = usage.units;
    if (output === 0 || !pricesReasoning(row)) return plain;
    const reasoned = nanosAt({ ...usage, reasoning: output }, row, context);
    return plain === null || reasoned === null ? (plain ?? reasoned) : Math.max(plain, reasoned);
  }
}

const pricesReasoning = ({ prices, tiers }: PriceRow): boolean =>
  prices.reasoning !== undefined || tiers.some((tier) => tier.prices.reasoning !== undefined);

function nanosAt(usage: UsageKinds, row: PriceRow, context: CostContext): number | null {
  const { nanos } = costOf(usage, row, context);
  return nanos === null ? null : Number(nanos);
}

function assumedNanos({ units }: Pick<UsageKinds, 'units'>, { input, output }: TokenPrices): number {
  const sum = BigInt(inputTokensIn(units)) * BigInt(input) + BigInt(outputTokensIn(units)) * BigInt(output);
  return Number((sum + MILLION - 1n) / MILLION);
}

type Units = Readonly<Partial<Record<string, number>>>;

export const plainInputIn = ({ input = 0, audio_input = 0, image_input = 0 }: Units): number =>
  input + audio_input + image_input;
export const cachedInputIn = ({ cached_input = 0, cached_audio_input = 0, cached_image_input = 0 }: Units): number =>
  cached_input + cached_audio_input + cached_image_input;
export const cacheWritesIn = ({ cache_write_5m = 0, cache_write_1h = 0 }: Units): number =>
  cache_write_5m + cache_write_1h;
export const outputTokensIn = ({ output = 0, audio_output = 0, image_output = 0 }: Units): number =>
  output + audio_output + image_output;
const inputTokensIn = (units: Units): number => plainInputIn(units) + cachedInputIn(units) + cacheWritesIn(units);

function requestedBy(json: JsonObject | null): Pick<CostContext, 'requestedTier' | 'requestedRegion'> {
  const region = json?.['inference_geo'];
  return { requestedTier: tierOf(json), requestedRegion: typeof region === 'string' ? region : null };
}

/** With `auto`, the provider can choose the priority tier. */
function tierOf(json: JsonObject | null): string | null {
  if (json?.['speed'] === 'fast' || json?.['service_tier'] === 'fast') return 'fast';
  return json?.['service_tier'] === 'auto' || json?.['service_tier'] === 'priority' ? 'priority' : null;
}
