import type { IncomingMessage } from 'node:http';
import type { OnApplicationShutdown } from '@nestjs/common';
import { ROOT_CONTEXT, SpanKind, trace, type Context, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  TracerProvider,
  type ReadableSpan,
  type SpanExporter,
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Config } from '../../config/config.js';
import type { RequestTrace } from '../../request-context/request-trace.js';
import type { ProcessLog } from '../process-log.js';
import { RequestSpans, timeOf, type UpstreamAddresses } from './request-spans.js';
import { takeCallersTrace, type TraceParent } from './trace-parent.rules.js';
import { Tracing } from './tracing.js';

const EXPORT_INTERVAL_MS = 1_000;
const EXPORT_TIMEOUT_MS = 5_000;
/** Limits how long an unavailable collector delays a shutdown. */
const LAST_EXPORT_TIMEOUT_MS = 3_000;
/** Model names are the longest values in a span, and the only text that a client chooses. */
const VALUE_LENGTH_MAX = 200;

/**
 * Sends traces to a collector, by OTLP over HTTP in JSON, once per second and outside the request path. At most 2,048 spans
 * wait; further ones are dropped. An unavailable collector causes one log line.
 *
 * OpenTelemetry itself reads the other standard variables (`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_RESOURCE_ATTRIBUTES`,
 * `OTEL_SERVICE_NAME` …).
 */
export class OtlpTracing extends Tracing implements OnApplicationShutdown {
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;
  private readonly addresses: UpstreamAddresses;

  constructor(config: Config, log: ProcessLog) {
    super();
    const { otlpEndpoint, version, upstreamBaseUrl, upstreamMessagesBaseUrl } = config;
    const otlp = new OTLPTraceExporter({ url: `${otlpEndpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS });
    const exporter = new ReportingExporter(otlp, (reason) => {
      if (reason === null) log.log('The trace collector accepts traces again', 'Tracing');
      else log.warn(`Cannot send traces: ${reason}`, 'Tracing');
    });
    this.provider = new TracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': 'inference-gateway', 'service.version': version }))
        .merge(detectResources({ detectors: [envDetector] })),
      sampler: samplerOf(config),
      spanLimits: { attributeValueLengthLimit: VALUE_LENGTH_MAX },
      spanProcessors: [
        new BatchSpanProcessor({
          ...{ exporter, scheduledDelayMillis: EXPORT_INTERVAL_MS, exportTimeoutMillis: 2 * EXPORT_TIMEOUT_MS },
        }),
      ],
    });
    this.tracer = this.provider.getTracer('inference-gateway', version);
    const main = new URL(upstreamBaseUrl ?? '');
    this.addresses = { default: main, messages: new URL(upstreamMessagesBaseUrl ?? main) };
  }

  begin({ headers, url, method = '' }: IncomingMessage, startedAtMs: number): RequestTrace | null {
    if (url?.startsWith('/v1/') !== true) return null;
    const parent = takeCallersTrace(headers);
    const span = this.tracer.startSpan(
      method,
      { kind: SpanKind.SERVER, startTime: timeOf(startedAtMs) },
      parent === null ? ROOT_CONTEXT : contextOf(parent),
    );
    return new RequestSpans(this.tracer, span, this.addresses);
  }

  // In this phase the server has stopped, so the last requests have ended.
  async onApplicationShutdown(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_EXPORT_TIMEOUT_MS)));
    await Promise.race([this.provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  }
}

function contextOf({ traceId, spanId, flags }: TraceParent): Context {
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags & 1, isRemote: true });
}

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0];

const SUCCESS = 0;

export class ReportingExporter implements SpanExporter {
  private failing = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly report: (reason: string | null) => void,
  ) {}

  export(spans: ReadableSpan[], done: (result: Result) => void): void {
    this.exporter.export(spans, (result) => {
      const failing = (result.code as number) !== SUCCESS;
      if (failing !== this.failing) this.report(failing ? (result.error?.message ?? 'no reason given') : null);
      this.failing = failing;
      done(result);
    });
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}

export function samplerOf({ tracesSampler, tracesSamplerArg }: Config): Sampler {
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
