import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '../platform/config/config.js';
import { Database } from '../platform/database/database.service.js';
import { Lifecycle } from '../platform/lifecycle.js';
import { ProcessLog } from '../platform/telemetry/process-log.js';
import { TokenEstimator } from '../proxy/metering/estimate/token-estimator.service.js';
import { Outage } from '../quota/outage.service.js';
import { StatsWriter } from '../stats/stats-writer.service.js';

/** Drains the application, stores counts and usage, and closes it (D23). */
export async function shutDown(app: NestFastifyApplication, config: Config): Promise<void> {
  const log = app.get(ProcessLog);
  const graceEndsAtMs = performance.now() + (config.drainDelaySeconds + config.shutdownGraceSeconds) * 1000;
  log.log(`Shutting down. New requests are accepted for another ${config.drainDelaySeconds} s.`, 'Stop');
  const database = app.get(Database);
  const drained = await stopListening(app.getHttpServer(), app.get(Lifecycle), config, () =>
    database.returnIdleConnections(),
  );
  if (!drained) log.warn('The grace period has ended. The remaining requests were aborted.', 'Stop');
  await waitForStorage(app, Math.max(0, graceEndsAtMs - performance.now()));
  // The shutdown hooks write buffered data.
  await app.close();
  log.log('Stopped', 'Stop');
  await log.flush();
}

const RETRY_INTERVAL_MS = 250;

/**
 * Waits until counts and usage are stored (D23).
 * @param msMax the rest of the grace period; estimates can take up to 3 s in addition
 */
export async function waitForStorage(app: INestApplicationContext, msMax: number): Promise<void> {
  await app.get(TokenEstimator).finish();
  const finished = new AbortController();
  const { signal } = finished;
  await Promise.race([storeAll(app, signal), pause(msMax, undefined, { signal }).catch(() => undefined)]);
  finished.abort();
}

async function storeAll(app: INestApplicationContext, signal: AbortSignal): Promise<void> {
  const stats = app.get(StatsWriter);
  const outage = app.get(Outage);
  const log = app.get(ProcessLog);
  for (let round = 0; !signal.aborted; round++) {
    await stats.lastFlush();
    if (stats.unwritten.requests === 0 && outage.unreconciled === 0) return;
    if (round === 1)
      log.warn(
        'Usage or counts are not stored yet. The shutdown waits for the database within its grace period.',
        'Stop',
      );
    await pause(RETRY_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
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
