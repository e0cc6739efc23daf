import 'reflect-metadata';
import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from './app.factory.js';
import type { Config } from '../platform/config/config.js';
import { Database } from '../platform/database/database.service.js';
import { stopListening, Lifecycle, type Stoppable } from '../platform/lifecycle.js';
import { TokenEstimator } from '../proxy/metering/estimate/token-estimator.service.js';
import { Outage } from '../quota/outage.service.js';
import { StatsWriter } from '../stats/stats-writer.service.js';
import { ProcessLog } from '../platform/telemetry/process-log.js';
import { publicError, urlOf } from './addresses.js';
import { openMetricsOutlets, type MetricsOutlets } from './metrics-server.js';
import { readMetricsOf } from './metrics-sources.js';
import { sendMetricsToPrimary } from './workers/workers-metrics.js';

/** With Node's default of 511, clients in a burst would retry for seconds. */
const BACKLOG = 65_535;

/**
 * Creates the application and listens. Separate from `start.ts` because this file takes a second to load. Before that,
 * `start.ts` reports invalid settings and starts the database.
 * @throws ConfigError if the host and port are not available
 */
export async function serve(config: Config): Promise<Stoppable & { url: string; metricsUrl: string | null }> {
  const app = await createApp(config);
  const metrics = config.metricsOn ? await showMetrics(app, config) : null;
  await listen(app, config);
  return {
    url: urlOf(config.host, (app.getHttpServer().address() as AddressInfo).port),
    metricsUrl: metrics?.url ?? null,
    stop: async () => {
      await stop(app, config);
      // Last, so that the shutdown remains observable.
      await metrics?.stop();
    },
  };
}

/** A worker process sends its metrics to the primary process, which shows the sum of all workers. */
async function showMetrics(app: NestFastifyApplication, config: Config): Promise<MetricsOutlets> {
  const metrics = readMetricsOf(app);
  if (cluster.isWorker) return sendMetricsToPrimary(metrics.registry);
  metrics.read('gateway_workers', () => 1);
  metrics.read('gateway_worker_restarts_total', () => 0);
  return openMetricsOutlets(config, app.get(ProcessLog), metrics);
}

async function listen(app: NestFastifyApplication, config: Config): Promise<void> {
  try {
    await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  } catch (error) {
    throw publicError(error, config);
  }
}

async function stop(app: NestFastifyApplication, config: Config): Promise<void> {
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
  const [stats, outage, log] = [app.get(StatsWriter), app.get(Outage), app.get(ProcessLog)];
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
