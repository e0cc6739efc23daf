import { Module } from '@nestjs/common';

/** Shutdown state and uptime, for readiness and the `Connection` header (D23). */
export class Lifecycle {
  readonly startedAtMs = performance.now();
  /** A stop signal was received. Requests are still served, but load balancers must send new ones elsewhere. */
  draining = false;

  get uptimeSeconds(): number {
    return Math.floor((performance.now() - this.startedAtMs) / 1000);
  }
}

/** A leaf module, so that health checks and response headers do not depend on `src/start`. */
@Module({ providers: [Lifecycle], exports: [Lifecycle] })
export class LifecycleModule {}

export interface Stoppable {
  stop(): Promise<void>;
}
