import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { TokenEstimator } from '../proxy/usage/estimate/token-estimator.service.js';
import { Outage } from '../quota/outage.service.js';
import { StatsWriter } from '../stats/stats-writer.service.js';
import { ProcessLog } from '../telemetry/process-log.js';

const RETRY_EACH_MS = 250;

/**
 * Before the application closes: counts and usage that cannot be stored wait for the database, `msMax` at most, which is
 * what is left of the grace (D23). Where none wait it takes no longer than writing what is there; tokens that are still being
 * counted have some seconds.
 */
export async function waitForStorage(app: INestApplicationContext, msMax: number): Promise<void> {
  await app.get(TokenEstimator).finish();
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([storeAll(app, signal), pause(msMax, undefined, { signal }).catch(() => undefined)]);
  over.abort();
}

async function storeAll(app: INestApplicationContext, signal: AbortSignal): Promise<void> {
  const [stats, outage, log] = [app.get(StatsWriter), app.get(Outage), app.get(ProcessLog)];
  for (let round = 0; !signal.aborted; round++) {
    await stats.lastFlush();
    // The counts are stored by their own store as soon as it can.
    if (stats.unwritten.requests === 0 && outage.unreconciled === 0) return;
    if (round === 1)
      log.warn('Usage or counts are not stored: the stop waits for the database, within the grace', 'Stop');
    await pause(RETRY_EACH_MS, undefined, { signal }).catch(() => undefined);
  }
}
