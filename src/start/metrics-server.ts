import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LoggerService } from '@nestjs/common';
import { AggregatorRegistry, Registry } from 'prom-client';
import type { Config } from '../config/config.js';
import type { Stoppable } from '../lifecycle/lifecycle.js';
import { Metrics } from '../telemetry/metrics/metrics.js';
import type { Workers } from '../workers/workers.js';
import { metricsError } from './addresses.js';

const HEAD_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 100;

/** Serves `GET /metrics` on a separate address, never on the public one (D21). @throws ConfigError if it is not available */
export async function listenForMetrics(
  config: Config,
  text: () => Promise<string>,
): Promise<Stoppable & { readonly url: string }> {
  const server = createServer({ headersTimeout: HEAD_TIMEOUT_MS, requestTimeout: HEAD_TIMEOUT_MS }, (req, res) => {
    respond(req, res, text).catch(() => res.destroy());
  });
  server.maxConnections = CONNECTIONS_MAX;
  try {
    server.listen(config.metricsPort ?? 0, config.metricsHost);
    await once(server, 'listening');
  } catch (error) {
    throw metricsError(error, config);
  }
  return {
    url: `http://${hostOf(config.metricsHost)}:${(server.address() as AddressInfo).port}/metrics`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(req: IncomingMessage, res: ServerResponse, text: () => Promise<string>): Promise<void> {
  // The body is not read, so the connection cannot be used again.
  if (req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined) {
    res.shouldKeepAlive = false;
  }
  if (req.method !== 'GET' || req.url?.split('?')[0] !== '/metrics') {
    res.writeHead(404, { 'content-length': 0 }).end();
    return;
  }
  const body = Buffer.from(await text());
  res.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE, 'content-length': body.length }).end(body);
}

const hostOf = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The scrape fails if a worker does not reply within this time. */
const REPLY_TIMEOUT_MS = 5_000;

type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Messages between the primary process and a worker. A worker sends `ready` once. */
type Message = { readonly metrics: 'ready' } | { readonly metrics: 'wanted' } | { readonly metrics: Figures };

/** Serves the sum of all workers' metrics, and metrics about the workers. @throws ConfigError if it cannot listen */
export function showWorkersMetrics(
  config: Config,
  log: LoggerService,
  figures: () => Pick<Workers, 'alive' | 'restarts'>,
): Promise<Stoppable & { readonly url: string }> {
  const own = new Metrics(log);
  own.read('gateway_workers', () => figures().alive);
  own.read('gateway_worker_restarts_total', () => figures().restarts);
  const workers = new SumOfWorkers();
  return listenForMetrics(config, async () => `${await workers.text()}\n${await own.registry.metrics()}`);
}

export function answerFirstProcess(registry: Registry): void {
  const send = (message: Message) => process.send?.(message, () => {});
  process.on('message', (message) => {
    if (isMetricsMessage(message) && message.metrics === 'wanted') {
      void registry.getMetricsAsJSON().then((metrics) => send({ metrics }));
    }
  });
  send({ metrics: 'ready' });
}

/**
 * Replaces prom-client's own sum, which fails while a worker starts. That sum also decreases when a worker dies, which
 * Prometheus reads as a counter reset and thus as a burst. This class asks only workers that are ready, and keeps the last
 * counters of dead ones.
 */
class SumOfWorkers {
  /** The last reply of each ready worker; empty before the first reply */
  private readonly last = new Map<Worker, Figures>();
  private dead: Figures[] = [];
  private readonly waiting = new Map<Worker, () => void>();
  private reading: Promise<string> | null = null;

  constructor() {
    cluster.on('message', (worker, message) => this.onMessage(worker, message));
    cluster.on('exit', (worker) => this.retire(worker));
  }

  text(): Promise<string> {
    return (this.reading ??= this.read().finally(() => (this.reading = null)));
  }

  private async read(): Promise<string> {
    await Promise.all([...this.last.keys()].map((worker) => this.ask(worker)));
    // Read synchronously, so that a worker that dies meanwhile is counted exactly once.
    const [alive, dead] = [[...this.last.values()], this.dead];
    const all = AggregatorRegistry.aggregate([...alive, ...dead]).metrics();
    if (dead.length > 1) {
      const one = await AggregatorRegistry.aggregate(dead).getMetricsAsJSON();
      this.dead = [one, ...this.dead.slice(dead.length)];
    }
    return all;
  }

  private ask(worker: Worker): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('A worker did not send its metrics')), REPLY_TIMEOUT_MS);
      this.waiting.set(worker, () => {
        clearTimeout(late);
        resolve();
      });
      worker.send({ metrics: 'wanted' } satisfies Message, () => {});
    });
  }

  private onMessage(worker: Worker, message: unknown): void {
    if (!isMetricsMessage(message) || message.metrics === 'wanted') return;
    this.last.set(worker, message.metrics === 'ready' ? [] : message.metrics);
    this.waiting.get(worker)?.();
    this.waiting.delete(worker);
  }

  private retire(worker: Worker): void {
    const counted = this.last
      .get(worker)
      ?.filter(({ type }) => String(type) === 'counter' || String(type) === 'histogram');
    this.last.delete(worker);
    if (counted !== undefined && counted.length > 0) this.dead = [...this.dead, counted];
    this.waiting.get(worker)?.();
    this.waiting.delete(worker);
  }
}

const isMetricsMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metrics' in message;
