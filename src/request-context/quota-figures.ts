/** One calendar window in UTC. `limit` null: unlimited. */
export interface WindowFigures<L extends number | null = number> {
  readonly limit: L;
  /** What has been counted, the request itself included once it is admitted. May exceed the limit (D22). */
  readonly used: number;
  /** First millisecond (since 1970) of the next window. */
  readonly resetsAtMs: number;
}

/** What a key has used, as of one instant of the store's clock. Left in the context by stage 6, or by a look. */
export interface QuotaFigures {
  /** The store's clock when it was asked, milliseconds since 1970: 'seconds until reset' counts from here. */
  readonly nowMs: number;
  readonly minute: WindowFigures;
  readonly day: WindowFigures;
  readonly month: WindowFigures<number | null>;
  /** Tokens recorded this month before the request. */
  readonly tokens: WindowFigures<number | null>;
}
