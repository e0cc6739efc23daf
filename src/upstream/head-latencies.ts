import { LruCache } from '../platform/fairness/lru-cache.js';

/** An account with more models than this forgets the least recently used ones. */
const MODELS_MAX = 1_000;
/** The weight of the newest response in the average. About the last ten responses decide. */
const NEWEST_WEIGHT = 0.2;

/** Recent averages of the time from the start of a request to its response headers, at one upstream. */
export class HeadLatencies {
  private readonly models = new LruCache<string, { ms: number }>(MODELS_MAX);
  private readonly all = { ms: -1 };

  /** @returns milliseconds; null before the first response of the model */
  of(model: string): number | null {
    return this.models.get(model)?.ms ?? null;
  }

  /** The average of all models, for operators. Null before the first response. */
  get overallMs(): number | null {
    return this.all.ms < 0 ? null : this.all.ms;
  }

  note(model: string, ms: number): void {
    const known = this.models.get(model);
    if (known === undefined) this.models.set(model, { ms });
    else known.ms += NEWEST_WEIGHT * (ms - known.ms);
    this.all.ms = this.all.ms < 0 ? ms : this.all.ms + NEWEST_WEIGHT * (ms - this.all.ms);
  }
}
