import { Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import { AccessLog } from './access-log.js';
import { Metrics } from './metrics/metrics.js';
import { RequestMetrics } from './metrics/request-metrics.js';
import { ProcessLog } from './process-log.js';
import { Tracing } from './tracing/tracing.js';

/** Without a collector, the client's `traceparent` is forwarded unchanged (D6). */
class NoTracing extends Tracing {
  begin(): null {
    return null;
  }
}

const tracingProvider = {
  provide: Tracing,
  inject: [Config, ProcessLog],
  useFactory: async (config: Config, log: ProcessLog): Promise<Tracing> => {
    if (config.otlpEndpoint === null || config.tracesExporter === 'none') return new NoTracing();
    const { OtlpTracing } = await import('./tracing/otlp-tracing.js');
    return new OtlpTracing(config, log);
  },
};

/**
 * Logs, metrics and traces. The module is separate so that all other modules use the same names. It never fails or delays a
 * request. Unread logs and an unavailable trace collector cost a bounded amount of memory.
 */
@Module({
  providers: [ProcessLog, AccessLog, Metrics, RequestMetrics, tracingProvider],
  exports: [ProcessLog, AccessLog, Metrics, RequestMetrics, Tracing],
})
export class TelemetryModule {}
