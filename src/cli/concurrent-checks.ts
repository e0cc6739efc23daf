import { ConcurrencyLimit } from '../platform/fairness/concurrency-limit.js';

/** More concurrent tests would compete for the network and distort their own latency figures. */
const AT_ONCE = 8;
const WAIT_MS = 600_000;

export function checkEach<U, R>(upstreams: readonly U[], check: (upstream: U) => Promise<R>): Promise<R[]> {
  const limit = new ConcurrencyLimit({ atOnce: AT_ONCE, waiting: upstreams.length, waitMs: WAIT_MS });
  return Promise.all(upstreams.map((upstream) => limit.pass(() => check(upstream))));
}
