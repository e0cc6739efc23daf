import { dayOf, monthOf } from '../quota/windows.js';

/** Sums of one key, UTC day and model. */
export interface UsageRow {
  readonly keyId: string;
  /** Days since 1970. */
  readonly day: number;
  /** year * 12 + month - 1. */
  readonly month: number;
  /** '': none was named. */
  readonly model: string;
  requests: number;
  errors: number;
  inputTokens: number;
  outputTokens: number;
  /** Part of the other two: what a tokenizer counted (D14). */
  estimatedTokens: number;
}

/** Tokens of one request. */
export interface UsedTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of the other two. */
  readonly estimatedTokens: number;
}

export interface UsageSums {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * What has been used and is not written yet, summed: while the database is away it grows by keys and models, not by requests.
 * At `rowsMax` rows a key that has none should be refused (`takes`); a known key's further models are summed under ''. What is
 * recorded all the same is kept: usage is never dropped. A row is some 300 bytes.
 */
export class UsageLedger {
  private readonly keys = new Map<string, Map<string, UsageRow>>();
  private rows = 0;

  constructor(private readonly rowsMax: number) {}

  get size(): number {
    return this.rows;
  }

  /** Whether one more request of this key can be recorded within the bound. */
  takes(keyId: string): boolean {
    return this.rows < this.rowsMax || this.keys.has(keyId);
  }

  /** @param atMs when the request was admitted, milliseconds since 1970 */
  add(keyId: string, atMs: number, model: string, failed: boolean, used: UsedTokens): void {
    const row = this.rowOf(keyId, atMs, model);
    row.requests += 1;
    if (failed) row.errors += 1;
    row.inputTokens += used.inputTokens;
    row.outputTokens += used.outputTokens;
    row.estimatedTokens += used.estimatedTokens;
  }

  /** Some of the rows, `count` at most; they are not in the ledger any more. */
  take(count: number): UsageRow[] {
    const taken: UsageRow[] = [];
    for (const [keyId, rows] of this.keys) {
      for (const [name, row] of rows) {
        if (taken.length === count) break;
        taken.push(row);
        rows.delete(name);
      }
      if (rows.size === 0) this.keys.delete(keyId);
      if (taken.length === count) break;
    }
    this.rows -= taken.length;
    return taken;
  }

  /** All that is in it. */
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
