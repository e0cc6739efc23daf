/** One attempt of a request at an upstream of `GW_UPSTREAMS`. */
export interface Attempt {
  readonly upstream: string;
  /** The ID that was sent upstream; null for a request without a model. */
  readonly model: string | null;
  /** Null without a response. */
  readonly status: number | null;
  /** Why there was no response: a reason of `gateway_upstream_failures_total`. */
  readonly error: string | null;
  /** The time to the status or the failure, in milliseconds. */
  readonly ms: number;
}
