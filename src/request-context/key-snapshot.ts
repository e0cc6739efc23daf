/** A key as it was when `version` was current. Left in the context by stage 3; kept in the key cache. */
export interface KeySnapshot {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended' | 'revoked';
  /** Requests, 1 to 2147483647. */
  readonly rpmLimit: number;
  readonly rpdLimit: number;
  /** null: unlimited. */
  readonly monthlyLimit: number | null;
  readonly monthlyTokenLimit: number | null;
  /** null: no restriction; never empty. Exact ids; an old row may hold a prefix that ends in `*` (D16). */
  readonly allowedModels: readonly string[] | null;
  /** Milliseconds since 1970; null: never. */
  readonly expiresAtMs: number | null;
  /** Milliseconds since 1970; written hourly at most. */
  readonly lastUsedAtMs: number | null;
  /** Raised by every change of the key; read in the same statement as all the rest. Microseconds, below 2^53. */
  readonly version: number;
}

/** One calendar window in UTC. `limit` null: unlimited. */
export interface WindowFigures<L extends number | null = number> {
  readonly limit: L;
  /** The counted usage, including the request itself once it is admitted. May exceed the limit (D22). */
  readonly used: number;
  /** First millisecond (since 1970) of the next window. */
  readonly resetsAtMs: number;
}

/** The usage of a key at one instant of the store's clock. Left in the context by stage 6, or by a look. */
export interface QuotaFigures {
  /** The store's clock when it was asked, milliseconds since 1970: 'seconds until reset' counts from here. */
  readonly nowMs: number;
  readonly minute: WindowFigures;
  readonly day: WindowFigures;
  readonly month: WindowFigures<number | null>;
  /** Tokens recorded this month before the request. */
  readonly tokens: WindowFigures<number | null>;
}
