import { LruCache } from '../../../platform/fairness/lru-cache.js';

const PAIRS_MAX = 10_000;
/** Two buckets per power of two, up to 2^32. */
const BUCKETS = 64;
/** When a pair has this many responses, the counts of all of them are halved. */
const RESPONSES_MAX = 1024;
/** With fewer responses, the default is the minimum. */
const RESPONSES_MIN = 20;
const SHARE = 0.95;
const TOKENS_MIN = 1024;

/** The output tokens of recent responses in this process, by key and model. About 4 MB at most. */
export class TypicalOutputs {
  private readonly pairs = new LruCache<string, Histogram>(PAIRS_MAX);

  /** Twice the 95th percentile, at least 1,024. @param byDefault the minimum if there were fewer than 20 responses */
  expected(keyId: string, model: string | null, byDefault: number): number {
    const seen = this.pairs.get(nameOf(keyId, model));
    if (seen === undefined) return byDefault;
    return Math.max(2 * seen.percentile(), seen.responses < RESPONSES_MIN ? byDefault : TOKENS_MIN);
  }

  /** @param tokens of one choice */
  note(keyId: string, model: string | null, tokens: number): void {
    const name = nameOf(keyId, model);
    let seen = this.pairs.get(name);
    if (seen === undefined) this.pairs.set(name, (seen = new Histogram()));
    seen.add(tokens);
  }
}

const nameOf = (keyId: string, model: string | null): string => `${keyId} ${model ?? ''}`;

class Histogram {
  responses = 0;
  private readonly counts = new Uint16Array(BUCKETS);

  add(tokens: number): void {
    if (this.responses === RESPONSES_MAX) this.halve();
    const bucket = Math.min(BUCKETS - 1, Math.floor(2 * Math.log2(Math.max(0, tokens) + 1)));
    this.counts[bucket]! += 1;
    this.responses += 1;
  }

  /** The upper bound of the bucket, at most 1.42 times the exact figure. */
  percentile(): number {
    const beyond = this.responses * SHARE;
    let sum = 0;
    let bucket = 0;
    while (bucket < BUCKETS - 1 && (sum += this.counts[bucket]!) < beyond) bucket += 1;
    return Math.ceil(2 ** ((bucket + 1) / 2)) - 1;
  }

  private halve(): void {
    this.responses = 0;
    for (let at = 0; at < BUCKETS; at++) {
      this.counts[at]! >>= 1;
      this.responses += this.counts[at]!;
    }
  }
}
