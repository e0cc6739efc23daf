import type { Registry } from 'prom-client';

/** All metrics with their values, in the form of prom-client, which can be sent between processes. */
export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The sources of metrics: one process, or the sum of several. */
export interface MetricsSource {
  /** The Prometheus text format. */
  text(): Promise<string>;
  figures(): Promise<Figures>;
}

/** A metric of prom-client, whose own types lack the texts in `type`, `metricName` and `exemplar`. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary' | 'untyped';
  readonly values: readonly MetricSample[];
}

export interface MetricSample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** `{name}_bucket`, `{name}_sum` or `{name}_count` of a histogram; otherwise undefined */
  readonly metricName?: string | undefined;
  readonly exemplar?: SampleExemplar | null | undefined;
}

export interface SampleExemplar {
  readonly labelSet: Readonly<Record<string, string>>;
  readonly value: number;
  /** Seconds since 1970 */
  readonly timestamp: number;
}

export const familiesOf = (figures: Figures): readonly MetricFamily[] => figures as unknown as readonly MetricFamily[];

/** Identifies a series of a family. The order of labels is that of their declaration, so it needs no sorting. */
export const seriesKey = ({ metricName = '', labels }: MetricSample): string =>
  `${metricName}${JSON.stringify(labels)}`;
