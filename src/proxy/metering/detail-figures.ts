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

export type AmountName = 'seconds' | 'usd' | 'ticks' | 'upstreamUsd';

export interface ModelTokens {
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cachedInput: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

/** The details that one response reports, before they are interpreted. A detail that is not reported is null. */
export class DetailFigures {
  total: number | null = null;
  cachedInput: number | null = null;
  cacheWrite: number | null = null;
  cacheWrite5m: number | null = null;
  cacheWrite1h: number | null = null;
  reasoning: number | null = null;
  thoughts: number | null = null;
  citations: number | null = null;
  audioInput: number | null = null;
  cachedAudioInput: number | null = null;
  audioOutput: number | null = null;
  imageInput: number | null = null;
  imageOutput: number | null = null;
  webSearches: number | null = null;
  xSearches: number | null = null;
  sources: number | null = null;
  fileSearches: number | null = null;
  documentSearches: number | null = null;
  codeExecutions: number | null = null;
  imageToolInput: number | null = null;
  imageToolOutput: number | null = null;
  imageToolCachedInput: number | null = null;
  imageToolImageInput: number | null = null;
  imageToolImageOutput: number | null = null;
  images: number | null = null;
  seconds: number | null = null;
  usd: number | null = null;
  ticks: number | null = null;
  upstreamUsd: number | null = null;
  byok: boolean | null = null;
  serviceTier: string | null = null;
  speed: string | null = null;
  region: string | null = null;
  imageSize: string | null = null;
  imageQuality: string | null = null;
  /** Sums of the steps that name their model, if there are several models. */
  models: readonly ModelTokens[] | null = null;
  /** Whether any of them is reported, except `total`. */
  some = false;
  /** A later report of the same response is being read. */
  later = false;
}

/** A limit for the JSON of a word, which can contain escapes. */
export const WORD_BYTES_MAX = 64;

/** Longer values are not stored with a request. */
const WORD = /^[\w.:-]{1,32}$/;

const MODEL_NAME = /^[\w./:@+-]{1,256}$/;

/** Returns null for text that cannot be the ID of a model, which is not stored with a request. */
export const modelNameOf = (value: unknown): string | null =>
  typeof value === 'string' && MODEL_NAME.test(value) ? value : null;

/** Returns tiers, regions and sizes, and null for all values that are not a short word. */
export const wordOf = (value: unknown): string | null => (typeof value === 'string' && WORD.test(value) ? value : null);
