import { setTimeout as pause } from 'node:timers/promises';
import type { OnApplicationShutdown } from '@nestjs/common';
import { ROOT_CONTEXT, SpanKind, trace, type Context, type Tracer } from '@opentelemetry/api';
import {
  BatchSpanProcessor,
  TracerProvider,
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Config } from '../../config/config.js';
import type { RequestTrace } from '../../request-context/request-trace.js';
import type { ProcessLog } from '../process-log.js';
import { traceExporter } from '../otlp/otlp-exporter.js';
import { LAST_EXPORT_TIMEOUT_MS, otlpResource } from '../otlp/otlp-connection.js';
import { ReportingExporter } from '../otlp/reporting-exporter.js';
import { pathOf, RequestSpans, serverAttributes, timeOf } from './request-spans.js';
import { takeCallersTrace, type TraceParent } from './trace-parent.rules.js';
import { Tracing, type TracedHead } from './tracing.js';

const EXPORT_INTERVAL_MS = 1_000;
/** Twice the time that a request and its retries can take. */
const BATCH_TIMEOUT_MS = 10_000;
/** Model names are the longest values in a span, and the only text that a client chooses. */
const VALUE_LENGTH_MAX = 200;

/**
 * Sends traces to a collector by OTLP, once per second and outside the request path. At most 2,048 spans wait; additional spans
 * are dropped. An unavailable collector causes one log line.
 */
export class OtlpTracing extends Tracing implements OnApplicationShutdown {
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  constructor(config: Config, log: ProcessLog) {
    super();
    const { version } = config;
    const exporter = new ReportingExporter(traceExporter(config), (reason) => {
      if (reason === null) log.log('The trace collector accepts traces again', 'Tracing');
      else log.warn(`Cannot send traces: ${reason}`, 'Tracing');
    });
    this.provider = new TracerProvider({
      resource: otlpResource(config),
      sampler: samplerOf(config),
      spanLimits: { attributeValueLengthLimit: VALUE_LENGTH_MAX },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          scheduledDelayMillis: EXPORT_INTERVAL_MS,
          exportTimeoutMillis: BATCH_TIMEOUT_MS,
        }),
      ],
    });
    this.tracer = this.provider.getTracer('inference-gateway', version);
  }

  begin(request: TracedHead, startedAtMs: number): RequestTrace | null {
    const { headers, url, method = '' } = request.raw;
    if (url?.startsWith('/v1/') !== true) return null;
    const parent = takeCallersTrace(headers);
    const span = this.tracer.startSpan(
      method,
      { kind: SpanKind.SERVER, startTime: timeOf(startedAtMs) },
      parent === null ? ROOT_CONTEXT : contextOf(parent),
    );
    if (span.isRecording()) span.setAttributes(serverAttributes(request));
    return new RequestSpans(this.tracer, span, pathOf(url));
  }

  // In this phase the server has stopped, so the last requests have ended.
  async onApplicationShutdown(): Promise<void> {
    const shutdown = this.provider.shutdown().catch(() => undefined);
    await Promise.race([shutdown, pause(LAST_EXPORT_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

function contextOf({ traceId, spanId, flags }: TraceParent): Context {
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags & 1, isRemote: true });
}

function samplerOf({ tracesSampler, tracesSamplerArg }: Config): Sampler {
  switch (tracesSampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(tracesSamplerArg);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(tracesSamplerArg) });
    default:
      return tracesSampler satisfies never;
  }
}
