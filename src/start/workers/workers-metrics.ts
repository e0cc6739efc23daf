import cluster, { type Worker } from 'node:cluster';
import type { LoggerService } from '@nestjs/common';
import { AggregatorRegistry, type Registry } from 'prom-client';
import {
  familiesOf,
  seriesKey,
  type Figures,
  type MetricsSource,
  type SampleExemplar,
} from '../../platform/telemetry/metrics/figures.js';
import { Metrics } from '../../platform/telemetry/metrics/metrics.js';
import type { MetricsOutlets } from '../metrics-server.js';
import type { Workers } from './workers.js';

/** The read fails if a worker does not reply within this time. */
const REPLY_TIMEOUT_MS = 5_000;

/** Messages between the primary process and a worker. A worker sends `ready` once. */
type Message = { readonly metrics: 'ready' } | { readonly metrics: 'wanted' } | { readonly metrics: Figures };

/** The sum of all workers' metrics, and metrics about the workers. */
export function workersMetrics(log: LoggerService, figures: () => Pick<Workers, 'alive' | 'restarts'>): MetricsSource {
  const own = new Metrics(log);
  own.read('gateway_workers', () => figures().alive);
  own.read('gateway_worker_restarts_total', () => figures().restarts);
  const workers = new SumOfWorkers();
  return {
    text: async () => `${await (await workers.sum()).metrics()}\n${await own.registry.metrics()}`,
    figures: async () => [
      ...(await (await workers.sum()).getMetricsAsJSON()),
      ...(await own.registry.getMetricsAsJSON()),
    ],
  };
}

/** Responds to the primary process. `stop` sends the last values, so that requests since the last read are counted. */
export function sendMetricsToPrimary(registry: Registry): MetricsOutlets {
  const send = (message: Message) =>
    new Promise<void>((resolve) => {
      if (process.connected) process.send?.(message, () => resolve());
      else resolve();
    });
  const sendFigures = async () => send({ metrics: await registry.getMetricsAsJSON() });
  process.on('message', (message) => {
    if (isMetricsMessage(message) && message.metrics === 'wanted') void sendFigures();
  });
  void send({ metrics: 'ready' });
  return { url: null, stop: sendFigures };
}

/**
 * Asks only workers that are ready, and keeps the last counters of dead ones. prom-client's own sum fails while a worker starts. It
 * also decreases when a worker dies, which Prometheus reads as a counter reset.
 */
class SumOfWorkers {
  /** The last reply of each ready worker. It is empty before the first reply. */
  private readonly last = new Map<Worker, Figures>();
  private dead: Figures[] = [];
  private readonly waiting = new Map<Worker, () => void>();
  private reading: Promise<Registry> | null = null;

  constructor() {
    cluster.on('message', (worker, message) => this.onMessage(worker, message));
    cluster.on('exit', (worker) => this.retire(worker));
  }

  sum(): Promise<Registry> {
    return (this.reading ??= this.read().finally(() => (this.reading = null)));
  }

  private async read(): Promise<Registry> {
    await Promise.all([...this.last.keys()].map((worker) => this.ask(worker)));
    // Both are read before the next `await`, so that a worker that dies during this read is counted exactly once.
    const alive = [...this.last.values()];
    const { dead } = this;
    const all: Registry = AggregatorRegistry.aggregate([...alive, ...dead]);
    if (dead.length > 1) {
      const one = await AggregatorRegistry.aggregate(dead).getMetricsAsJSON();
      this.dead = [one, ...this.dead.slice(dead.length)];
    }
    addExemplars(await all.getMetricsAsJSON(), alive);
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

/** prom-client's sum drops exemplars. Each series gets the latest one of all workers. */
function addExemplars(sum: Figures, workers: readonly Figures[]): void {
  const latest = new Map<string, SampleExemplar>();
  for (const { name, values } of workers.flatMap(familiesOf)) {
    for (const sample of values) {
      const { exemplar } = sample;
      if (exemplar === undefined || exemplar === null) continue;
      const key = name + seriesKey(sample);
      const known = latest.get(key);
      if (known === undefined || known.timestamp <= exemplar.timestamp) latest.set(key, exemplar);
    }
  }
  for (const { name, values } of latest.size === 0 ? [] : familiesOf(sum)) {
    for (const sample of values) Object.assign(sample, { exemplar: latest.get(name + seriesKey(sample)) });
  }
}

const isMetricsMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metrics' in message;
