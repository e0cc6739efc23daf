import { setTimeout as pause } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { Config } from '../../config/config.js';
import type { Stoppable } from '../../lifecycle.js';
import type { Figures } from '../metrics/figures.js';
import { metricData } from './metric-data.rules.js';
import { metricExporter } from './otlp-exporter.js';
import { LAST_EXPORT_TIMEOUT_MS, otlpResource } from './otlp-connection.js';
import { ReportingExporter } from './reporting-exporter.js';

/**
 * Sends all metrics to a collector, every `OTEL_METRIC_EXPORT_INTERVAL` and once more at shutdown. No export starts while
 * another one is running, so an unavailable collector costs the memory of one export, and one log line.
 */
export class MetricExport implements Stoppable {
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
    await Promise.race([this.exportLast(), pause(LAST_EXPORT_TIMEOUT_MS, undefined, { ref: false })]);
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
