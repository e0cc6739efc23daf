import { Injectable } from '@nestjs/common';
import { isEstimated, RequestCosts, type PricedUsage } from '../costs/request-costs.service.js';
import { cachedTokensIn, cacheSavedNanos } from '../costs/pricing/cache-savings.rules.js';
import { formatNanos } from '../costs/pricing/price-text.rules.js';
import type { UsageKinds } from '../costs/pricing/request-units.rules.js';
import { UnpricedModels } from '../costs/unpriced-models.service.js';
import type { RequestContext } from '../platform/request-context/request-context.js';
import type { TokenUsage } from '../platform/request-context/token-usage.js';
import type { CostEntry } from './usage-ledger.js';

interface Recording {
  readonly endpoint: string;
  /** When the request was admitted, in milliseconds since 1970. */
  readonly atMs: number;
  /** Whether the request has a row in request logs. */
  readonly logged: boolean;
}

interface Totals {
  nanos: bigint;
  unpriced: number;
  /** All input tokens, including those from the provider's prompt cache. */
  inputTokens: number;
  cachedTokens: number;
  /** See `cacheSavedNanos`. */
  savedNanos: number;
}

export type CacheUse = Readonly<Pick<Totals, 'inputTokens' | 'cachedTokens' | 'savedNanos'>>;

const UNUSED: CacheUse = { inputTokens: 0, cachedTokens: 0, savedNanos: 0 };

/** Computes the cost of finished requests for the records. */
@Injectable()
export class CostRecorder {
  private readonly totals = new Map<string, Totals>();
  /** Prices that response headers already show. The records must equal them, even if a price changes before the request ends. */
  private readonly shown = new WeakMap<RequestContext, PricedUsage>();

  constructor(
    private readonly costs: RequestCosts,
    private readonly unpricedModels: UnpricedModels,
  ) {}

  /** Sums since the start of the process, by upstream. */
  get recorded(): ReadonlyMap<string, Readonly<Totals>> {
    return this.totals;
  }

  /** The use of the prompt cache since the start of the process. @param upstream its name */
  cacheUseOf(upstream: string): CacheUse {
    return this.totals.get(upstream) ?? UNUSED;
  }

  /**
   * Adds the cost of a request to `recorded`, and reports a model without a price. Call it once for each request. Returns null for a
   * request that was not sent to a provider.
   * @param usage reported, or completed by an estimate
   */
  record(ctx: RequestContext, usage: TokenUsage, { endpoint, atMs, logged }: Recording): CostEntry | null {
    const { account } = ctx.upstream;
    if (account === null) return null;
    const { name: provider, baseUrl } = account;
    const models = modelsOf(ctx);
    const details = ctx.usageDetails;
    const priced = this.shown.get(ctx) ?? this.pricedOf(ctx, atMs, usage)!;
    this.count(provider, priced);
    const { nanos } = priced;
    const entry = {
      endpoint,
      provider,
      priced,
      estimated: isEstimated(usage),
      additionalTokens: additionalTokens(usage, priced.kinds),
    };
    if (!priced.unpriced) return { ...entry, unpriced: null };
    const unpricedModel = priced.unpricedPart?.model ?? models[0] ?? '';
    // A model whose usage is unmeasured can have a price.
    if (priced.cost === null || priced.cost.unpriced.length > 0) this.unpricedModels.note(unpricedModel, provider);
    const request = { atMs, logId: logged ? ctx.requestId : null, nanos, usage, details };
    return {
      ...entry,
      unpriced: { models, unpricedModel, baseUrl: baseUrl.href, objectId: ctx.awaitedObject, request },
    };
  }

  /** The cost of `usage`. Null for a request that was not sent to a provider. */
  pricedOf(ctx: RequestContext, atMs: number, usage: TokenUsage): PricedUsage | null {
    const { account } = ctx.upstream;
    if (account === null) return null;
    const { name: provider, baseUrl } = account;
    return this.costs.of({ provider, baseUrl, models: modelsOf(ctx), atMs, usage, details: ctx.usageDetails });
  }

  /**
   * The recorded cost in dollars, for a header of the response. Call it when the usage is metered. Null if the cost is unknown
   * or only a lower bound, or if the usage is still being estimated.
   */
  exactCostOf(ctx: RequestContext): string | null {
    const { usage, estimate, figures } = ctx;
    if (usage === null || estimate !== null || figures === null) return null;
    const priced = this.pricedOf(ctx, figures.nowMs, usage);
    if (priced === null) return null;
    this.shown.set(ctx, priced);
    const { unpriced, nanos, price } = priced;
    // `price` is null if the model itself was not used. `cost` is null if the provider stated the amount, which is exact.
    const isExact = price !== null && !unpriced;
    return isExact && nanos !== null ? formatNanos(nanos) : null;
  }

  private count(provider: string, { nanos, unpriced, kinds, cost }: PricedUsage): void {
    let total = this.totals.get(provider);
    if (total === undefined) this.totals.set(provider, (total = { nanos: 0n, unpriced: 0, ...UNUSED }));
    total.nanos += nanos ?? 0n;
    if (unpriced) total.unpriced += 1;
    total.inputTokens += kinds.inputTokens;
    const cached = cachedTokensIn(kinds.units);
    if (cached === 0) return;
    total.cachedTokens += cached;
    if (cost !== null) total.savedNanos += cacheSavedNanos(cost);
  }
}

/**
 * Distinct names: of the response, as sent, and as requested. A fallback never has the price of the requested model. Without a model,
 * the route can have a price.
 */
function modelsOf({ upstream, model, route }: RequestContext): string[] {
  const models: string[] = [];
  const served = upstream.responseModel ?? (model === null ? (upstream.facts?.model ?? null) : null);
  for (const name of [served, upstream.model, upstream.fallback ?? model])
    if (name !== null && name !== '' && !models.includes(name)) models.push(name);
  return models.length === 0 && route?.kind === 'gateway' ? [route.endpoint] : models;
}

/** Tokens that are billed in addition to those that `usage` counts. */
export function additionalTokens(
  { inputTokens, outputTokens }: TokenUsage,
  { inputTokens: allInput, units }: UsageKinds,
): number {
  const allOutput = (units.output ?? 0) + (units.audio_output ?? 0) + (units.image_output ?? 0);
  return Math.max(0, allInput - inputTokens) + Math.max(0, allOutput - outputTokens);
}
