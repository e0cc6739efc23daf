import { dayOf, monthOf } from '../quota/windows.js';
import { CostRows, type CostEntry } from './cost-ledger.js';

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
}

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
    const day = dayOf(atMs);
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
