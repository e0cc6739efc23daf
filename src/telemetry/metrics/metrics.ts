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

/** One series of a metric: its labels, exactly those that the metric declares, and what it stands at. */
export interface Series<T = number> {
  readonly labels: Labels;
  readonly value: T;
}

interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

/**
 * The metrics of this process. Nothing is pushed here: whoever has a figure says once how it is read, and it is read when
 * the metrics are asked for, so that the way of a request knows of its own counters only. A figure that cannot be read is
 * left out of the answer, and said so once; the others come all the same.
 */
@Injectable()
export class Metrics {
  /** What is shown; with several processes, what the first one adds up. */
  readonly registry = new Registry();
  private readonly unreadable = new Set<string>();

  constructor(@Inject(ProcessLog) private readonly log: Pick<LoggerService, 'warn'>) {}

  /** @param read the figure, or its series where the metric has labels; null: there is none now */
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
    const get = async () => ({ name, help, type, aggregator, values: await this.tried(name, read) });
    // prom-client asks a metric for its name and for this; its own sums over processes are registered in the same way.
    this.registry.registerMetric({ name, get } as unknown as Metric);
  }

  private async tried(
    name: MetricName,
    read: () => readonly Sample[] | Promise<readonly Sample[]>,
  ): Promise<readonly Sample[]> {
    try {
      return await read();
    } catch (error) {
      if (!this.unreadable.has(name)) this.log.warn(`${name} cannot be read: ${String(error)}`, 'Metrics');
      this.unreadable.add(name);
      return [];
    }
  }
}

type Figure = number | readonly Series[] | null;

/** The series `labels` in the form that prom-client shows: cumulative buckets, sum and count. */
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
