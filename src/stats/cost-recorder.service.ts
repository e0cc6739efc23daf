import { Injectable } from '@nestjs/common';
import { formatNanos } from '../costs/pricing/price-text.rules.js';
import type { UsageKinds } from '../costs/pricing/request-units.rules.js';
import { RequestCosts, type PricedUsage } from '../costs/request-costs.service.js';
import { UnpricedModels } from '../costs/unpriced-models.service.js';
import type { UnpricedUsageReport } from '../costs/unpriced-usage.js';
import type { RequestContext } from '../request-context/request-context.js';
import type { TokenUsage } from '../request-context/token-usage.js';
import type { CostEntry } from './cost-ledger.js';
import { storable } from './request-row.js';

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

  /** Returns null for a request that was not sent to a provider. @param usage reported, or completed by an estimate */
  entryOf(ctx: RequestContext, endpoint: string, atMs: number, usage: TokenUsage): CostEntry | null {
    const { account } = ctx.upstream;
    if (account === null) return null;
    const { name: provider } = account;
    const priced = this.shown.get(ctx) ?? this.price(ctx, account, atMs, usage);
    this.count(provider, priced);
    return {
      ...{ endpoint, provider, priced },
      estimated: usage.provenance === 'estimated' || usage.provenance === 'partial',
      additionalTokens: additionalTokens(usage, priced.kinds),
      unpriced: priced.unpriced ? this.unpricedOf(ctx, account, atMs, { usage, priced }) : null,
    };
  }

  private unpricedOf(ctx: RequestContext, { name, baseUrl }: Account, atMs: number, { usage, priced }: Used) {
    // Providers invent these names, and the database could not store some characters of them.
    const models = modelsOf(ctx).map((model) => storable(model, Infinity));
    const [answeredModel = ''] = models;
    this.unpricedModels.note(answeredModel, name);
    const report: UnpricedUsageReport = { usage, details: ctx.usageDetails, models, units: priced.kinds.units };
    return {
      ...{ requestId: ctx.requestId, atMs, answeredModel, baseUrl: baseUrl.href },
      usage: report,
    };
  }

  /**
   * The recorded cost in dollars, for a header of the response. Call it when the usage is metered. Null if the cost is unknown
   * or only a lower bound, or if the usage is still being estimated.
   */
  exactCostOf(ctx: RequestContext): string | null {
    const { usage, estimate, figures, upstream } = ctx;
    if (usage === null || estimate !== null || figures === null || upstream.account === null) return null;
    const priced = this.price(ctx, upstream.account, figures.nowMs, usage);
    this.shown.set(ctx, priced);
    const { cost, unpriced, nanos, price } = priced;
    // Without a price there was no usage, and without lines the provider stated the amount.
    const isExact = price !== null && !unpriced && (cost === null || cost.unmeasured.length === 0);
    return isExact && nanos !== null ? formatNanos(nanos) : null;
  }

  private price(ctx: RequestContext, { name: provider, baseUrl }: Account, atMs: number, usage: TokenUsage) {
    return this.costs.of({ provider, baseUrl, models: modelsOf(ctx), atMs, usage, details: ctx.usageDetails });
  }

  private count(provider: string, { nanos, unpriced }: PricedUsage): void {
    let total = this.totals.get(provider);
    if (total === undefined) this.totals.set(provider, (total = { nanos: 0n, unpriced: 0 }));
    total.nanos += nanos ?? 0n;
    if (unpriced) total.unpriced += 1;
  }
}

type Account = NonNullable<RequestContext['upstream']['account']>;

interface Used {
  readonly usage: TokenUsage;
  readonly priced: PricedUsage;
}

/** Distinct names: of the response, as sent, and as requested. */
function modelsOf({ upstream, model }: RequestContext): string[] {
  const names = [upstream.responseModel, upstream.model, model];
  return [...new Set(names.filter((name): name is string => name !== null && name !== ''))];
}

/** Tokens that are billed in addition to those that `usage` counts. */
function additionalTokens(
  { inputTokens, outputTokens }: TokenUsage,
  { inputTokens: allInput, units }: UsageKinds,
): number {
  const allOutput = (units.output ?? 0) + (units.audio_output ?? 0) + (units.image_output ?? 0);
  return Math.max(0, allInput - inputTokens) + Math.max(0, allOutput - outputTokens);
}
