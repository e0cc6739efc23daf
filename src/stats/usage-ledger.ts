import { dayNumberOf, monthOf } from '../quota/utc-windows.rules.js';
import { COUNTED_KINDS, type UsageKind } from '../costs/usage-kinds.data.js';
import { UnpricedRequests, type UnpricedPart, type UnpricedRequest } from '../costs/unpriced-usage.js';
import type { PricedUsage } from '../costs/request-costs.service.js';
import { storable } from '../platform/telemetry/redact.js';

/** Unpriced requests that wait to be written, about 8 MB. Further ones are only counted, and cannot be priced later. */
const UNPRICED_MAX = 50_000;

export interface UsageRow {
  readonly keyId: string;
  /** Days since 1970. */
  readonly day: number;
  /** year * 12 + month - 1. */
  readonly month: number;
  /** '' without a model. */
  readonly model: string;
  requests: number;
  errors: number;
  inputTokens: number;
  outputTokens: number;
  /** Included in the other two (D14). */
  estimatedTokens: number;
  /** Not included in the other two. */
  additionalTokens: number;
  readonly costs: CostRows;
  /** Failed requests by error code. Only in rows without a model. */
  readonly failures: Map<string, Failures>;
}

export interface Failures {
  requests: number;
  /** Included in `requests`, but not in the figures of usage, because these requests were not admitted. */
  rejected: number;
}

/** Stands for the keys of failed requests that have no known key. */
export const NO_KEY_ID = '00000000-0000-0000-0000-000000000000';

export interface UsedTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Included in the other two. */
  readonly estimatedTokens: number;
}

interface Used extends UsedTokens {
  readonly failed: boolean;
  /** Null or absent for a request that was not sent to a provider. */
  readonly cost?: CostEntry | null;
}

export interface UsageSums {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * Sums of usage that is not written yet. During an outage its size grows with keys and models, not with requests. A row takes
 * about 300 bytes.
 *
 * At `rowsMax` rows, `takes` is false for a key without a row, and further models of other keys are summed under ''. Usage is
 * never dropped: `add` accepts it even if `takes` is false.
 */
export class UsageLedger {
  private readonly keys = new Map<string, Map<string, UsageRow>>();
  private rows = 0;
  private unpriced = 0;

  constructor(private readonly rowsMax: number) {}

  get size(): number {
    return this.rows;
  }

  takes(keyId: string): boolean {
    return this.rows < this.rowsMax || this.keys.has(keyId);
  }

  /** @param atMs when the request was admitted, milliseconds since 1970 */
  add(keyId: string, atMs: number, model: string, used: Used): void {
    const row = this.rowOf(keyId, atMs, model);
    row.requests += 1;
    if (used.failed) row.errors += 1;
    row.inputTokens += used.inputTokens;
    row.outputTokens += used.outputTokens;
    row.estimatedTokens += used.estimatedTokens;
    if (!used.cost) return;
    row.additionalTokens += used.cost.additionalTokens;
    const before = row.costs.unpricedKept;
    row.costs.add(used.cost, this.unpriced < UNPRICED_MAX);
    this.unpriced += row.costs.unpricedKept - before;
  }

  /**
   * Counts a failed request by its error code. If there is no room for another key, it counts as a request without a known key.
   * @param code one of a bounded number of error codes
   */
  fail(keyId: string | null, atMs: number, code: string, admitted: boolean): void {
    const { failures } = this.rowOf(keyId !== null && this.takes(keyId) ? keyId : NO_KEY_ID, atMs, '');
    let counts = failures.get(code);
    if (counts === undefined) failures.set(code, (counts = { requests: 0, rejected: 0 }));
    counts.requests += 1;
    if (!admitted) counts.rejected += 1;
  }

  take(count: number): UsageRow[] {
    const taken: UsageRow[] = [];
    for (const [keyId, rows] of this.keys) {
      for (const [name, row] of rows) {
        if (taken.length === count) break;
        taken.push(row);
        this.unpriced -= row.costs.unpricedKept;
        rows.delete(name);
      }
      if (rows.size === 0) this.keys.delete(keyId);
      if (taken.length === count) break;
    }
    this.rows -= taken.length;
    return taken;
  }

  sums(): UsageSums {
    return sumsOf([...this.keys.values()].flatMap((rows) => [...rows.values()]));
  }

  private rowOf(keyId: string, atMs: number, model: string): UsageRow {
    let rows = this.keys.get(keyId);
    if (rows === undefined) {
      rows = new Map();
      this.keys.set(keyId, rows);
    }
    const day = dayNumberOf(atMs);
    const known = rows.get(`${day} ${model}`);
    if (known !== undefined) return known;
    if (model !== '' && rows.size > 0 && this.rows >= this.rowsMax) return this.rowOf(keyId, atMs, '');
    const row = {
      keyId,
      day,
      month: monthOf(atMs),
      model,
      requests: 0,
      errors: 0,
      inputTokens: 0,
      outputTokens: 0,
      estimatedTokens: 0,
      additionalTokens: 0,
      costs: new CostRows(),
      failures: new Map<string, Failures>(),
    };
    rows.set(`${day} ${model}`, row);
    this.rows += 1;
    return row;
  }
}

export function sumsOf(rows: readonly UsageRow[]): UsageSums {
  const sums = { requests: 0, inputTokens: 0, outputTokens: 0 };
  for (const row of rows) {
    sums.requests += row.requests;
    sums.inputTokens += row.inputTokens;
    sums.outputTokens += row.outputTokens;
  }
  return sums;
}

export interface CostEntry {
  readonly endpoint: string;
  /** The name of the upstream. */
  readonly provider: string;
  readonly priced: PricedUsage;
  readonly estimated: boolean;
  /** Tokens that the provider reports in addition to input and output, such as Anthropic's cache reads and writes. */
  readonly additionalTokens: number;
  /** The data to price the request later. Null if it has a price. */
  readonly unpriced: UnpricedUsage | null;
}

interface UnpricedUsage {
  /** As in `PriceQuery`. */
  readonly models: readonly string[];
  /** The model that lacks a price: the first one of `models`, or another one that the request used. */
  readonly unpricedModel: string;
  readonly baseUrl: string;
  /** The object whose later response reports the usage. Null if no response does. */
  readonly objectId: string | null;
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
  readonly objectId: string | null;
  readonly part: UnpricedPart;
}

/** The costs of one row of the usage ledger. Endpoints and providers are few, so it stays small. */
class CostRows {
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
    // Neither name contains a space.
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

interface UnpricedGroup extends Pick<UnpricedRow, 'models' | 'unpricedModel' | 'baseUrl' | 'objectId'> {
  readonly requests: UnpricedRequests;
}

function groupOf(groups: Map<string, UnpricedGroup>, usage: UnpricedUsage): UnpricedGroup {
  const { models, unpricedModel, baseUrl, objectId } = usage;
  // Names with a line break can at worst share the group of other names that no provider has.
  const name = `${baseUrl}\n${objectId ?? ''}\n${unpricedModel}\n${models.join('\n')}`;
  let group = groups.get(name);
  if (group === undefined) {
    // Providers invent these names, and the database could not store some characters of them.
    const stored = models.map((model) => storable(model, Infinity));
    const own = { models: stored, unpricedModel: storable(unpricedModel, Infinity), baseUrl, objectId };
    groups.set(name, (group = { ...own, requests: new UnpricedRequests() }));
  }
  return group;
}
