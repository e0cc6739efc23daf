/** The counts that a report can contain, from 0 to `TOKENS_MAX`. */
export type CountName =
  | 'total'
  | 'cachedInput'
  | 'cacheWrite'
  | 'cacheWrite5m'
  | 'cacheWrite1h'
  | 'reasoning'
  | 'thoughts'
  | 'citations'
  | 'audioInput'
  | 'cachedAudioInput'
  | 'audioOutput'
  | 'imageInput'
  | 'imageOutput'
  | 'webSearches'
  | 'xSearches'
  | 'sources'
  | 'fileSearches'
  | 'documentSearches'
  | 'codeExecutions'
  | 'imageToolInput'
  | 'imageToolOutput'
  | 'imageToolCachedInput'
  | 'imageToolImageInput'
  | 'imageToolImageOutput';

export type TextName = 'serviceTier' | 'speed' | 'region';

/** Numbers that can have decimals. */
export type AmountName = 'seconds' | 'usd' | 'ticks' | 'upstreamUsd';

/** Exactly one field is set, except for `cost`. All have the same shape, which makes the reader faster. */
export interface DetailTarget {
  readonly count: CountName | null;
  readonly text: TextName | null;
  readonly amount: AmountName | null;
  readonly byok: boolean;
  /** The value can be an object with these fields. */
  readonly fields: DetailFields | null;
  /** The value is an array of counts: `[{"modality":"AUDIO","tokenCount":7}]`. */
  readonly byModality: Readonly<Record<string, CountName>> | null;
  /** The value is an array of reports. */
  readonly steps: boolean;
}

export type Targets = Readonly<Record<string, DetailTarget>>;

/**
 * Finds a field by the hash of its name, which the reader computes while it searches for the end of the name. This creates no
 * strings.
 */
export class DetailFields {
  private readonly byHash = new Map<number, DetailTarget>();

  constructor(targets: Targets) {
    for (const [name, target] of Object.entries(targets)) {
      let hash = 0;
      for (let i = 0; i < name.length; i++) hash = nextHash(hash, name.charCodeAt(i));
      if (this.byHash.has(hash)) throw new Error(`The hash of ${name} is not unique.`);
      this.byHash.set(hash, target);
    }
  }

  find(hash: number): DetailTarget | undefined {
    return this.byHash.get(hash);
  }
}

/** Adds a byte to a 32-bit hash. An unknown field has the hash of a known one in one of 10^8 cases. */
export const nextHash = (hash: number, byte: number): number => (Math.imul(hash, 31) + byte) | 0;
