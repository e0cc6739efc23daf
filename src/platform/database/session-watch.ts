import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { isIdle } from '../patches/pg-silent-server.js';
import { backendOf, SharedSession } from './pooler-check.js';

const CHECK_INTERVAL_MS = 1000;
const IDLE_CHECK_MS = 5;

/**
 * Checks every second whether a pooled connection still has the session from its start, because a pooler can change its mode
 * without closing connections. Other statements wait for the check.
 * @param session process ID of the session at the start
 * @param inUse the checks end when it returns false
 * @param onShared called once if the session has changed
 */
export async function watchSession(
  client: Client,
  session: number,
  inUse: () => boolean,
  onShared: (error: SharedSession) => void,
): Promise<void> {
  const alone = lockOf(client);
  let current = session;
  while (current === session) {
    await pause(CHECK_INTERVAL_MS, undefined, { ref: false });
    while (inUse() && !isIdle(client)) await pause(IDLE_CHECK_MS, undefined, { ref: false });
    if (!inUse()) return;
    // A failed statement is inconclusive. The owner of the connection detects a lost connection.
    current = await alone(() => backendOf(client)).catch(() => session);
  }
  if (inUse()) onShared(new SharedSession('one connection was served by different sessions'));
}

/**
 * Holds back other statements while `work` runs. They must not wait in pg's own queue, because pg prints a warning if more than
 * one statement is queued.
 */
function lockOf(client: Client): <T>(work: () => Promise<T>) => Promise<T> {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  let running: Promise<unknown> | null = null;
  client.query = ((...args: unknown[]) =>
    running === null ? query(...args) : running.then(() => query(...args))) as typeof client.query;
  return (work) => {
    const result = work();
    running = result.then(
      () => (running = null),
      () => (running = null),
    );
    return result;
  };
}
