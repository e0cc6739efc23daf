import { COUNTED_KINDS } from '../costs/report/counted-kinds.data.js';
import type { UsageKind } from '../costs/usage-kinds.data.js';
import type { UnpricedUsageReport } from '../costs/unpriced-usage.js';
import type { PricedUsage } from '../costs/request-costs.service.js';

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

export interface UnpricedUsage {
  readonly requestId: string;
  readonly atMs: number;
  readonly answeredModel: string;
  readonly baseUrl: string | null;
  /** The cost is computed again from it. */
  readonly usage: UnpricedUsageReport;
}

/** Sums for one key, day, model, endpoint and provider. */
export interface CostRow {
  readonly endpoint: string;
  readonly provider: string;
  requests: number;
  unpricedRequests: number;
  estimatedRequests: number;
  nanos: bigint;
  readonly units: Map<UsageKind, number>;
}

/** The costs of one row of the usage ledger. Endpoints and providers are few, so it stays small. */
export class CostRows {
  private readonly rows = new Map<string, CostRow>();
  readonly unpriced: UnpricedOf[] = [];

  /** @param keepUnpriced false if too many unpriced requests wait. They are then only counted */
  add(entry: CostEntry, keepUnpriced: boolean): void {
    const { endpoint, provider, priced } = entry;
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
    if (entry.unpriced !== null && keepUnpriced)
      this.unpriced.push({ ...entry.unpriced, endpoint, provider, nanos: priced.nanos });
  }

  all(): readonly CostRow[] {
    return [...this.rows.values()];
  }

  private rowOf(endpoint: string, provider: string): CostRow {
    // Neither contains a space.
    const name = `${endpoint} ${provider}`;
    let row = this.rows.get(name);
    if (row === undefined) {
      row = {
        ...{ endpoint, provider, requests: 0, unpricedRequests: 0, estimatedRequests: 0, nanos: 0n },
        units: new Map(),
      };
      this.rows.set(name, row);
    }
    return row;
  }
}

/** `nanos` is the part of the cost that is already in the sums. */
type UnpricedOf = UnpricedUsage & Pick<CostEntry, 'endpoint' | 'provider'> & Pick<PricedUsage, 'nanos'>;
