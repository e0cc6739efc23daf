import { Injectable } from '@nestjs/common';
import { isEstimated } from '../costs/cost-record.rules.js';
import { formatNanos } from '../costs/pricing/price-text.rules.js';
import type { UsageKinds } from '../costs/pricing/request-units.rules.js';
import { RequestCosts, type PricedUsage } from '../costs/request-costs.service.js';
import { UnpricedModels } from '../costs/unpriced-models.service.js';
import type { RequestContext } from '../platform/request-context/request-context.js';
import type { TokenUsage } from '../platform/request-context/token-usage.js';
import type { CostEntry } from './cost-ledger.js';

interface Recording {
  readonly endpoint: string;
  /** When the request was admitted, in milliseconds since 1970. */
  readonly atMs: number;
  /** Whether the request has a row in request logs. */
  readonly logged: boolean;
}

/** Computes the cost of finished requests for the records. */
@Injectable()
export class CostRecorder {
  /** Since the start of the process, by upstream. */
  private readonly totals = new Map<string, { nanos: bigint; unpriced: number }>();
  private readonly shown = new WeakMap<RequestContext, PricedUsage>();

  constructor(
    private readonly costs: RequestCosts,
    private readonly unpricedModels: UnpricedModels,
  ) {}

  get recorded(): ReadonlyMap<string, { readonly nanos: bigint; readonly unpriced: number }> {
    return this.totals;
  }

  /**
   * Returns null for a request that was not sent to a provider.
   * @param usage reported, or completed by an estimate
   */
  entryOf(ctx: RequestContext, usage: TokenUsage, { endpoint, atMs, logged }: Recording): CostEntry | null {
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
    if ((details?.unmeasured ?? null) === null) this.unpricedModels.note(unpricedModel, provider);
    const request = { atMs, logId: logged ? ctx.requestId : null, nanos, usage, details };
    return { ...entry, unpriced: { models, unpricedModel, baseUrl: baseUrl.href, request } };
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
    const { cost, unpriced, nanos, price } = priced;
    // Without a price there was no usage, and without lines the provider stated the amount.
    const isExact = price !== null && !unpriced && (cost === null || cost.unmeasured.length === 0);
    return isExact && nanos !== null ? formatNanos(nanos) : null;
  }

  private count(provider: string, { nanos, unpriced }: PricedUsage): void {
    let total = this.totals.get(provider);
    if (total === undefined) this.totals.set(provider, (total = { nanos: 0n, unpriced: 0 }));
    total.nanos += nanos ?? 0n;
    if (unpriced) total.unpriced += 1;
  }
}

/** Distinct names: of the response, as sent, and as requested. */
function modelsOf({ upstream, model }: RequestContext): string[] {
  const models: string[] = [];
  for (const name of [upstream.responseModel, upstream.model, model])
    if (name !== null && name !== '' && !models.includes(name)) models.push(name);
  return models;
}

/** Tokens that are billed in addition to those that `usage` counts. */
function additionalTokens(
  { inputTokens, outputTokens }: TokenUsage,
  { inputTokens: allInput, units }: UsageKinds,
): number {
  const allOutput = (units.output ?? 0) + (units.audio_output ?? 0) + (units.image_output ?? 0);
  return Math.max(0, allInput - inputTokens) + Math.max(0, allOutput - outputTokens);
}
