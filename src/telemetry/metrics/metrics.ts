import { Inject, Injectable, type LoggerService } from '@nestjs/common';
import { Registry, type Metric } from 'prom-client';
import { ProcessLog } from '../process-log.js';
import {
  METRICS,
  type FigureName,
  type HistogramName,
  type MetricDefinition,
  type MetricName,
} from './metrics.data.js';
import type { Tally } from './tally.js';

type Labels = Readonly<Record<string, string>>;

export interface Series<T = number> {
  readonly labels: Labels;
  readonly value: T;
}

interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

/** Each source registers a function that a scrape calls. A metric whose function fails is logged once and omitted. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly unreadable = new Set<string>();

  constructor(@Inject(ProcessLog) private readonly log: Pick<LoggerService, 'warn'>) {}

  /** @param read the value, or the series of a metric with labels; null: no value at the moment */
  read(name: FigureName, read: () => Figure | Promise<Figure>): void {
    this.register(name, async () => {
      const figure = await read();
      if (figure === null) return [];
      return typeof figure === 'number' ? [{ labels: {}, value: figure }] : figure;
    });
  }

  readTallies(name: HistogramName, read: () => readonly Series<Tally>[]): void {
    this.register(name, () => read().flatMap((series) => bucketsOf(name, series)));
  }

  private register(name: MetricName, read: () => readonly Sample[] | Promise<readonly Sample[]>): void {
    const { type, help, ofWorkers: aggregator }: MetricDefinition = METRICS[name];
    const get = async () => ({ name, help, type, aggregator, values: await this.readOrEmpty(name, read) });
    // prom-client uses only `name` and `get` of a metric. It registers its own sums over processes in the same way.
    this.registry.registerMetric({ name, get } as unknown as Metric);
  }

  private async readOrEmpty(
    name: MetricName,
    read: () => readonly Sample[] | Promise<readonly Sample[]>,
  ): Promise<readonly Sample[]> {
    try {
      return await read();
    } catch (error) {
      if (!this.unreadable.has(name)) this.log.warn(`Cannot read the metric ${name}: ${String(error)}`, 'Metrics');
      this.unreadable.add(name);
      return [];
    }
  }
}

type Figure = number | readonly Series[] | null;

function bucketsOf(name: HistogramName, { labels, value: tally }: Series<Tally>): Sample[] {
  let count = 0;
  const buckets = tally.counts.map((observed, at): Sample => {
    count += observed;
    return { labels: { le: tally.bounds[at] ?? '+Inf', ...labels }, value: count, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { labels, value: tally.sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
}
