import 'reflect-metadata';
import cluster from 'node:cluster';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../app.factory.js';
import type { Config } from '../config/config.js';
import { stopListening } from '../lifecycle/graceful-stop.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { ProcessLog } from '../telemetry/process-log.js';
import type { Stoppable } from '../lifecycle/stoppable.js';
import { publicError } from './addresses.js';
import { listenForMetrics } from './metrics-listener.js';
import { answerFirstProcess } from './metrics-of-workers.js';
import { readMetricsOf } from './metrics-sources.js';
import { waitForStorage } from './wait-for-storage.js';

/** Connections that wait to be taken, as far as the system allows: Node's 511 would leave a rush of clients to try again for seconds. */
const BACKLOG = 65_535;

/**
 * Makes the application and listens. Apart from `start.ts` because it takes a second to load: a wrong setting is told
 * before, and the database starts meanwhile.
 * @throws ConfigError where a host and port cannot be had
 */
export async function serve(config: Config): Promise<Stoppable & { url: string; metricsUrl: string | null }> {
  const app = await createApp(config);
  const metrics = config.metricsPort === null ? null : await showMetrics(app, config);
  await listen(app, config);
  return {
    url: await app.getUrl(),
    metricsUrl: metrics?.url ?? null,
    stop: async () => {
      await stop(app, config);
      // Last, so that the end can be watched.
      await metrics?.stop();
    },
  };
}

/** Null in a worker of several: the first process shows the metrics of all. */
async function showMetrics(app: NestFastifyApplication, config: Config): Promise<(Stoppable & { url: string }) | null> {
  const metrics = readMetricsOf(app);
  if (cluster.isWorker) {
    answerFirstProcess(metrics.registry);
    return null;
  }
  metrics.read('gateway_workers', () => 1);
  metrics.read('gateway_worker_restarts_total', () => 0);
  return listenForMetrics(config, () => metrics.registry.metrics());
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
  log.log(`Stopping: requests are taken for ${config.drainDelaySeconds} s more`, 'Stop');
  const whole = await stopListening(app.getHttpServer(), app.get(Lifecycle), config);
  if (!whole) log.warn('The grace period is over: what still ran was cut', 'Stop');
  await waitForStorage(app, Math.max(0, graceEndsAtMs - performance.now()));
  // The shutdown hooks write what is buffered.
  await app.close();
  log.log('Stopped', 'Stop');
  await log.flush();
}
