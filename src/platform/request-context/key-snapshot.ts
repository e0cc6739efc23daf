/**
 * The tokens that the monthly token limit of a key counts:
 * - `specification`: input and output tokens, as the provider reports them.
 * - `all`: also the tokens that the provider reports in addition to these, such as Anthropic's cache reads and writes.
 */
export const TOKEN_COUNTINGS = ['specification', 'all'] as const;
export type TokenCounting = (typeof TOKEN_COUNTINGS)[number];

/** An API key at one version. Stage 3 puts it into the context. */
export interface KeySnapshot {
  readonly id: string;
  readonly name: string;
  readonly teamId: string | null;
  /** The key's own, without those of its team. */
  readonly tags: readonly string[];
  readonly status: 'active' | 'suspended' | 'revoked';
  /** Requests, 1 to 2147483647. */
  readonly rpmLimit: number;
  readonly rpdLimit: number;
  /** Null if unlimited. */
  readonly monthlyLimit: number | null;
  readonly monthlyTokenLimit: number | null;
  readonly tokenCounting: TokenCounting;
  /** Exact model IDs; old rows can contain a prefix that ends in `*` (D16). Null if every model is allowed. Never empty. */
  readonly allowedModels: readonly string[] | null;
  /** Null if the key does not expire. */
  readonly expiresAtMs: number | null;
  /** Updated at most once per hour. */
  readonly lastUsedAtMs: number | null;
  /** Increases with every change to the key. Read in the same statement as the other fields. Microseconds, below 2^53. */
  readonly version: number;
}

/** The usage of one limit in its current UTC calendar window. `limit` is null if unlimited. */
export interface WindowFigures<L extends number | null = number> {
  readonly limit: L;
  /** Includes the request itself once it is admitted. It can exceed the limit (D22). */
  readonly used: number;
  readonly resetsAtMs: number;
}

export interface QuotaFigures {
  /** The store's clock, in milliseconds since 1970. 'Seconds until reset' counts from here. */
  readonly nowMs: number;
  readonly minute: WindowFigures;
  readonly day: WindowFigures;
  readonly month: WindowFigures<number | null>;
  /** Tokens recorded in this month before the request, as far as the key counts them. */
  readonly tokens: WindowFigures<number | null>;
}
