import type { LoggerService } from '@nestjs/common';
import type { Config } from '../config/config.js';
import type { Stoppable } from '../lifecycle/lifecycle.js';
import type { MetricsSource } from '../telemetry/metrics/figures.js';
import { listenForMetrics } from './metrics-server.js';

/** The metrics listener and the export to a collector. */
export interface MetricsOutlets extends Stoppable {
  /** Null without a metrics listener. */
  readonly url: string | null;
}

/** Starts the metrics listener and the export to a collector, whichever is configured. @throws ConfigError if it cannot listen */
export async function openMetricsOutlets(
  config: Config,
  log: LoggerService,
  source: MetricsSource,
): Promise<MetricsOutlets> {
  const listener = config.metricsPort === null ? null : await listenForMetrics(config, source);
  const parts: Stoppable[] = listener === null ? [] : [listener];
  if (config.metricsExporter === 'otlp') {
    // OpenTelemetry is loaded only if a collector is configured.
    const { MetricExport } = await import('../telemetry/otlp/metric-export.js');
    parts.push(new MetricExport(config, log, () => source.figures()));
  }
  return {
    url: listener?.url ?? null,
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}
