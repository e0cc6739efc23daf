import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Lifecycle } from './lifecycle.js';

interface Patience {
  readonly drainDelaySeconds: number;
  readonly shutdownGraceSeconds: number;
}

const IDLE_SWEEP_MS = 100;
const CUT_MS_MAX = 1000;

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
  if (whole) return true;
  server.closeAllConnections();
  // A cut request is recorded when its connection has closed, a moment later: what is written after this has it in it.
  await Promise.race([closed, pause(CUT_MS_MAX, undefined, { ref: false })]);
  return false;
}
