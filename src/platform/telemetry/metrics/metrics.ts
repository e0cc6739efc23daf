import { Inject, Injectable, type LoggerService } from '@nestjs/common';
import { Registry, type Metric } from 'prom-client';
import { ProcessLog } from '../process-log.js';
import type { Figures, MetricsSource, SampleExemplar } from './figures.js';
import {
  METRICS,
  type FigureName,
  type HistogramName,
  type MetricDefinition,
  type MetricName,
} from './metrics.data.js';
import type { Exemplar, Tally } from './tally.js';

type Labels = Readonly<Record<string, string>>;

export interface Series<T = number> {
  readonly labels: Labels;
  readonly value: T;
}

interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
  /** prom-client's text format ignores it. */
  readonly exemplar?: SampleExemplar;
}

/** The metrics of this process. Each scrape calls the functions that `read` registers. A failing function is logged once. */
@Injectable()
export class Metrics implements MetricsSource {
  readonly registry = new Registry();
  private readonly unreadable = new Set<string>();

  constructor(@Inject(ProcessLog) private readonly log: Pick<LoggerService, 'warn'>) {}

  /** @param read returns the value, the series of a metric with labels, or null if there is no value at the moment */
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

  text(): Promise<string> {
    return this.registry.metrics();
  }

  figures(): Promise<Figures> {
    return this.registry.getMetricsAsJSON();
  }

  /** Changes the type of metrics that another library registered to `untyped`. */
  untype(names: readonly string[]): void {
    for (const name of names) {
      const metric = this.registry.getSingleMetric(name);
      if (metric === undefined) continue;
      this.registry.removeSingleMetric(name);
      const get = async () => ({ ...(await metric.get()), type: 'untyped' });
      this.registry.registerMetric({ name, get } as unknown as Metric);
    }
  }

  private register(name: MetricName, read: () => readonly Sample[] | Promise<readonly Sample[]>): void {
    const { type, help, aggregation: aggregator }: MetricDefinition = METRICS[name];
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
    const sample = {
      labels: { le: tally.bounds[at] ?? '+Inf', ...labels },
      value: count,
      metricName: `${name}_bucket`,
    };
    const exemplar = tally.exemplars?.[at];
    return exemplar === undefined ? sample : { ...sample, exemplar: formatted(exemplar) };
  });
  return [
    ...buckets,
    { labels, value: tally.sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
}

const formatted = ({ traceId, value, atMs }: Exemplar): SampleExemplar => ({
  labelSet: { trace_id: traceId },
  value,
  timestamp: atMs / 1000,
});
