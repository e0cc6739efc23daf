import { Module } from '@nestjs/common';
import { AccessLog } from './access-log.js';
import { Metrics } from './metrics/metrics.js';
import { RequestMetrics } from './metrics/request-metrics.js';
import { ProcessLog } from './process-log.js';
import { tracingProvider } from './tracing/tracing.provider.js';
import { Tracing } from './tracing/tracing.js';

/**
 * Definitions of what is logged, counted and traced, apart from those who do it, so that names are one vocabulary. None of
 * it fails or holds up a request: a log that nobody reads, metrics that nobody asks for and a collector that is away cost
 * some memory within bounds.
 */
@Module({
  providers: [ProcessLog, AccessLog, Metrics, RequestMetrics, tracingProvider],
  exports: [ProcessLog, AccessLog, Metrics, RequestMetrics, Tracing],
})
export class TelemetryModule {}
