/** The details that one response reports, before they are interpreted. Null: not reported. */
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
  /** Whether any of them is reported, except `total`. */
  some = false;
  /** A later report of the same response is being read. */
  later = false;
}

/** A limit for the JSON of a word, which can contain escapes. */
export const WORD_BYTES_MAX = 64;

/** Longer values are not stored with a request. */
const WORD = /^[\w.:-]{1,32}$/;

/** Null unless the value is a short word, as for tiers, regions and sizes. */
export const wordOf = (value: unknown): string | null => (typeof value === 'string' && WORD.test(value) ? value : null);
