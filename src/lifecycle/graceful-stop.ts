import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Lifecycle } from './lifecycle.js';

interface Patience {
  readonly drainDelaySeconds: number;
  readonly shutdownGraceSeconds: number;
}

const IDLE_SWEEP_MS = 100;

/**
 * The listener's part of a stop (D23): not ready at once, requests taken for the drain delay, then no new connections,
 * running requests and streams finish, until the grace is over.
 * @returns whether everything that ran has ended by itself
 */
export async function stopListening(server: Server, lifecycle: Lifecycle, patience: Patience): Promise<boolean> {
  lifecycle.draining = true;
  await pause(patience.drainDelaySeconds * 1000);
  const closed = new Promise<true>((resolve) => server.close(() => resolve(true)));
  // server.close() waits for kept-alive connections whose answer ended after it: they are swept until all are gone.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const grace = pause(patience.shutdownGraceSeconds * 1000, false as const, { ref: false });
  const whole = await Promise.race([closed, grace]);
  clearInterval(sweep);
  server.closeAllConnections();
  // A request whose connection was lost is recorded when that has closed, which Node tells last in a turn of its loop,
  // after the server's own end: what is written after the stop has to have it in it.
  await nextTurn();
  await nextTurn();
  return whole;
}
