import { ValueType, type HrTime } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { familiesOf, type Figures, type MetricFamily, type MetricSample } from '../metrics/figures.js';

/**
 * Converts metrics to OTLP, with the names that they have in Prometheus. Counters and histograms count from `startedAtMs`.
 * @param startedAtMs milliseconds since 1970, as is `nowMs`
 */
export function metricData(figures: Figures, resource: Resource, startedAtMs: number, nowMs: number): ResourceMetrics {
  const period = { startTime: timeOf(startedAtMs), endTime: timeOf(nowMs) };
  const metrics = familiesOf(figures)
    .map((family) => dataOf(family, period))
    .filter(({ dataPoints }) => dataPoints.length > 0);
  return { resource, scopeMetrics: [{ scope: { name: 'inference-gateway' }, metrics }] };
}

type Histogram = Extract<MetricData, { dataPointType: DataPointType.HISTOGRAM }>['dataPoints'][number]['value'];

interface Period {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
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
