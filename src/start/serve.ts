import 'reflect-metadata';
import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from './app.factory.js';
import type { Config } from '../platform/config/config.js';
import type { Stoppable } from '../platform/lifecycle.js';
import { ProcessLog } from '../platform/telemetry/process-log.js';
import { publicError, urlOf } from './addresses.js';
import { openMetricsOutlets, type MetricsOutlets } from './metrics-server.js';
import { readMetricsOf } from './metrics-sources.js';
import { shutDown } from './shutdown.js';
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
      await shutDown(app, config);
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
