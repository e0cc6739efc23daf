import type { LoggerService } from '@nestjs/common';
import {
  type ResourceMetrics,
  AggregationTemporality,
  DataPointType,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import { ValueType, type HrTime } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { Config } from '../../config/config.js';
import { type Figures, familiesOf, type MetricFamily, type MetricSample } from '../metrics/figures.js';
import { metricExporter } from './otlp-exporter.js';
import { otlpResource } from './otlp-connection.js';
import { ReportingExporter } from './reporting-exporter.js';

/** Limits how long an unavailable collector delays a shutdown. */
const LAST_EXPORT_TIMEOUT_MS = 3_000;

/**
 * Sends all metrics to a collector, every `OTEL_METRIC_EXPORT_INTERVAL` and once more at shutdown. No export starts while
 * another one is running, so an unavailable collector costs the memory of one export, and one log line.
 */
export class MetricExport {
  private readonly exporter: ReportingExporter<ResourceMetrics>;
  private readonly resource;
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | null = null;
  private readable = true;

  constructor(
    config: Config,
    private readonly log: Pick<LoggerService, 'log' | 'warn'>,
    private readonly figures: () => Promise<Figures>,
  ) {
    this.resource = otlpResource(config);
    this.exporter = new ReportingExporter(metricExporter(config), (reason) => this.report(reason));
    this.timer = setInterval(() => void this.export(), config.metricExportIntervalMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    let late: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (late = setTimeout(resolve, LAST_EXPORT_TIMEOUT_MS)));
    await Promise.race([this.exportLast(), timeout]);
    clearTimeout(late);
  }

  private async exportLast(): Promise<void> {
    await this.running;
    await this.export();
    await this.exporter.shutdown().catch(() => undefined);
  }

  private export(): Promise<void> {
    return (this.running ??= this.send().finally(() => (this.running = null)));
  }

  private async send(): Promise<void> {
    const figures = await this.read();
    if (figures === null) return;
    const data = metricData(figures, this.resource, performance.timeOrigin, Date.now());
    await new Promise<void>((resolve) => this.exporter.export(data, () => resolve()));
  }

  /** Returns null if a worker process does not send its metrics. */
  private async read(): Promise<Figures | null> {
    try {
      const figures = await this.figures();
      this.readable = true;
      return figures;
    } catch (error) {
      if (this.readable) this.log.warn(`Cannot read the metrics to export: ${String(error)}`, 'Metrics');
      this.readable = false;
      return null;
    }
  }

  private report(reason: string | null): void {
    if (reason === null) this.log.log('The metrics collector accepts metrics again', 'Metrics');
    else this.log.warn(`Cannot send metrics: ${reason}`, 'Metrics');
  }
}

type Histogram = Extract<MetricData, { dataPointType: DataPointType.HISTOGRAM }>['dataPoints'][number]['value'];

interface Period {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/**
 * Converts metrics to OTLP, with the names that they have in Prometheus. Counters and histograms count from `startedAtMs`.
 * @param startedAtMs milliseconds since 1970, as is `nowMs`
 */
function metricData(figures: Figures, resource: Resource, startedAtMs: number, nowMs: number): ResourceMetrics {
  const period = { startTime: timeOf(startedAtMs), endTime: timeOf(nowMs) };
  const metrics = familiesOf(figures)
    .map((family) => dataOf(family, period))
    .filter(({ dataPoints }) => dataPoints.length > 0);
  return { resource, scopeMetrics: [{ scope: { name: 'inference-gateway' }, metrics }] };
}

function dataOf(family: MetricFamily, period: Period): MetricData {
  const { name, help: description, type } = family;
  const base = {
    descriptor: { name, description, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (type === 'histogram') {
    const dataPoints = histogramsOf(family).map(({ labels, value }) => ({ ...period, attributes: labels, value }));
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = family.values
    .filter(({ value, metricName }) => Number.isFinite(value) && metricName === undefined)
    .map(({ labels, value }) => ({ ...period, attributes: labels, value }));
  return type === 'counter'
    ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
}

interface LabeledHistogram {
  readonly labels: MetricSample['labels'];
  readonly value: Histogram;
}

/** Prometheus' buckets are cumulative, OTLP's are not. */
function histogramsOf({ name, values }: MetricFamily): LabeledHistogram[] {
  const series = new Map<string, { labels: MetricSample['labels']; value: Histogram; counted: number }>();
  for (const { metricName, labels: all, value } of values) {
    const { le, ...labels } = all;
    const key = JSON.stringify(labels);
    const known = series.get(key) ?? {
      labels,
      value: { buckets: { boundaries: [], counts: [] }, sum: 0, count: 0 },
      counted: 0,
    };
    series.set(key, known);
    if (metricName === `${name}_sum`) known.value.sum = value;
    else if (metricName === `${name}_count`) known.value.count = value;
    else {
      known.value.buckets.counts.push(value - known.counted);
      if (le !== '+Inf') known.value.buckets.boundaries.push(Number(le));
      known.counted = value;
    }
  }
  return [...series.values()];
}

/** Returns the UCUM unit of a metric, as OpenTelemetry requires. */
function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's';
  return /_bytes(_total)?$/.test(name) ? 'By' : '';
}

const timeOf = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
