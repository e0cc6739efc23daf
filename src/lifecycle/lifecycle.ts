/** Where this process stands in its life: the readiness probe and the `Connection` header go by it (D23). */
export class Lifecycle {
  readonly startedAtMs = performance.now();
  /** A stop signal has come: still serving, but load balancers are to look away. */
  draining = false;

  get uptimeSeconds(): number {
    return Math.floor((performance.now() - this.startedAtMs) / 1000);
  }
}
