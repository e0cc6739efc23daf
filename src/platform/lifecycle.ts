import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
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

const IDLE_SWEEP_MS = 100;

/**
 * Shuts down the listener (D23). Readiness fails immediately, and requests are accepted for the drain delay. Then the listener
 * refuses connections, and running requests and streams have the grace period to end. Returns whether all of them ended in time.
 * @param onRefusing called when no more requests are accepted
 */
export async function stopListening(
  server: Server,
  lifecycle: Lifecycle,
  { drainDelaySeconds, shutdownGraceSeconds }: { drainDelaySeconds: number; shutdownGraceSeconds: number },
  onRefusing: () => void,
): Promise<boolean> {
  lifecycle.draining = true;
  await pause(drainDelaySeconds * 1000);
  const closed = new Promise<true>((resolve) => server.close(() => resolve(true)));
  onRefusing();
  // server.close() would wait for keep-alive connections whose response ends after the call.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const grace = pause(shutdownGraceSeconds * 1000, false as const, { ref: false });
  const drained = await Promise.race([closed, grace]);
  clearInterval(sweep);
  server.closeAllConnections();
  // An aborted request is recorded when its connection closes, which Node emits last in a turn of its event loop.
  await nextTurn();
  await nextTurn();
  return drained;
}
