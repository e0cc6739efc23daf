import type { CircuitBreaker } from './circuit-breaker.js';
import type { FailureCounts } from './failure-counts.js';
import type { ConnectionPermits } from '../fairness/connection-permits.js';
import type { UpstreamPool } from './upstream-pool.js';

/** One upstream address and all that its requests share. */
export interface UpstreamOrigin {
  /** Path of the base URL without a slash at its end: `/api/v1`. */
  readonly basePath: string;
  readonly pool: UpstreamPool;
  readonly permits: ConnectionPermits;
  readonly breaker: CircuitBreaker;
  readonly limits: UpstreamTimeLimits;
  /** Of this address by its name: two that share all the rest count apart. */
  readonly failures: FailureCounts;
}

/** Milliseconds. */
interface UpstreamTimeLimits {
  /** To get a free connection, and again to connect. */
  readonly connectMs: number;
  /** From the first byte sent to the answer's head. */
  readonly headMs: number;
  /** Between two pieces of the answer. */
  readonly idleMs: number;
}
