import { Module } from '@nestjs/common';
import { AccessLog } from './access-log.js';
import { Metrics } from './metrics/metrics.js';
import { RequestMetrics } from './metrics/request-metrics.js';
import { ProcessLog } from './process-log.js';
import { tracingProvider } from './tracing/tracing.provider.js';
import { Tracing } from './tracing/tracing.js';

/**
 * Logs, metrics and traces. The module is separate so that all other modules use the same names. It never fails or delays a
 * request. Unread logs and an unavailable trace collector cost a bounded amount of memory.
 */
@Module({
  providers: [ProcessLog, AccessLog, Metrics, RequestMetrics, tracingProvider],
  exports: [ProcessLog, AccessLog, Metrics, RequestMetrics, Tracing],
})
export class TelemetryModule {}
