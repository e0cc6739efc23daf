import { COUNTED_KINDS, type UsageKind } from '../costs/usage-kinds.data.js';
import { UnpricedRequests, type UnpricedPart, type UnpricedRequest } from '../costs/unpriced-usage.js';
import type { PricedUsage } from '../costs/request-costs.service.js';
import { storable } from '../platform/telemetry/redact.js';

/** The cost of one request. */
export interface CostEntry {
  readonly endpoint: string;
  /** The name of the upstream. */
  readonly provider: string;
  readonly priced: PricedUsage;
  readonly estimated: boolean;
  /** Tokens that the provider reports in addition to input and output, such as Anthropic's cache reads and writes. */
  readonly additionalTokens: number;
  /** To price the request later. Null if it has a price. */
  readonly unpriced: UnpricedUsage | null;
}

interface UnpricedUsage {
  /** As in `PriceQuery`. */
  readonly models: readonly string[];
  /** The model that lacks a price: the first one of `models`, or another one that the request used. */
  readonly unpricedModel: string;
  readonly baseUrl: string;
  readonly request: UnpricedRequest;
}

/** Sums for one key, day, model, endpoint and provider. */
interface CostRow {
  readonly endpoint: string;
  readonly provider: string;
  requests: number;
  unpricedRequests: number;
  estimatedRequests: number;
  nanos: bigint;
  readonly units: Map<UsageKind, number>;
}

/** Unpriced requests of one cost row whose price depends on the same names. */
interface UnpricedRow extends Pick<CostRow, 'endpoint' | 'provider'> {
  readonly models: readonly string[];
  readonly unpricedModel: string;
  readonly baseUrl: string;
  readonly part: UnpricedPart;
}

/** The costs of one row of the usage ledger. Endpoints and providers are few, so it stays small. */
export class CostRows {
  private readonly rows = new Map<string, CostRow & { readonly unpriced: Map<string, UnpricedGroup> }>();
  private kept = 0;

  /** The number of unpriced requests that can be priced later. */
  get unpricedKept(): number {
    return this.kept;
  }

  /** @param keepUnpriced false if too many unpriced requests wait. They are then only counted */
  add(entry: CostEntry, keepUnpriced: boolean): void {
    const { endpoint, provider, priced, unpriced } = entry;
    const row = this.rowOf(endpoint, provider);
    row.requests += 1;
    if (priced.unpriced) row.unpricedRequests += 1;
    if (entry.estimated) row.estimatedRequests += 1;
    row.nanos += priced.nanos ?? 0n;
    const { units, reasoning } = priced.kinds;
    for (const kind of COUNTED_KINDS) {
      const count = kind === 'reasoning' ? reasoning : (units[kind] ?? 0);
      if (count > 0) row.units.set(kind, (row.units.get(kind) ?? 0) + count);
    }
    if (unpriced === null || !keepUnpriced) return;
    groupOf(row.unpriced, unpriced).requests.add(unpriced.request, priced.unpricedPart?.units ?? units);
    this.kept += 1;
  }

  all(): readonly CostRow[] {
    return [...this.rows.values()];
  }

  unpriced(): UnpricedRow[] {
    return [...this.rows.values()].flatMap(({ endpoint, provider, unpriced }) =>
      [...unpriced.values()].flatMap(({ requests, ...group }) =>
        requests.all().map((part) => ({ endpoint, provider, ...group, part })),
      ),
    );
  }

  private rowOf(endpoint: string, provider: string) {
    // Neither contains a space.
    const name = `${endpoint} ${provider}`;
    let row = this.rows.get(name);
    if (row === undefined) {
      row = {
        endpoint,
        provider,
        requests: 0,
        unpricedRequests: 0,
        estimatedRequests: 0,
        nanos: 0n,
        units: new Map(),
        unpriced: new Map(),
      };
      this.rows.set(name, row);
    }
    return row;
  }
}

interface UnpricedGroup extends Pick<UnpricedRow, 'models' | 'unpricedModel' | 'baseUrl'> {
  readonly requests: UnpricedRequests;
}

function groupOf(groups: Map<string, UnpricedGroup>, { models, unpricedModel, baseUrl }: UnpricedUsage): UnpricedGroup {
  // Names with a line break can at worst share the group of other names that no provider has.
  const name = `${baseUrl}\n${unpricedModel}\n${models.join('\n')}`;
  let group = groups.get(name);
  if (group === undefined) {
    // Providers invent these names, and the database could not store some characters of them.
    const stored = models.map((model) => storable(model, Infinity));
    const own = { models: stored, unpricedModel: storable(unpricedModel, Infinity), baseUrl };
    groups.set(name, (group = { ...own, requests: new UnpricedRequests() }));
  }
  return group;
}
