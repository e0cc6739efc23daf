import { METHODS } from 'node:http';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import type { RequestTrace, TracedRequest } from '../../request-context/request-trace.js';
import type { GatewayRouteSpec, UsageReaderName } from '../../routes/route-spec.js';
import { withoutKeys } from '../redact.js';
import { formatTraceParent } from './trace-parent.rules.js';

type UpstreamName = GatewayRouteSpec['upstream'];

export type UpstreamAddresses = Readonly<Record<UpstreamName, URL>>;

/** Converts a `performance.now()` value to milliseconds since 1970. */
export const timeOf = (ms: number): number => performance.timeOrigin + ms;

/**
 * A server span per request, named `{operation} {model}`, with a client span for the upstream request. They follow
 * OpenTelemetry's GenAI and HTTP conventions. Spans contain no headers, queries or bodies (D24).
 */
export class RequestSpans implements RequestTrace {
  readonly traceId: string;
  private upstreamSpan: Span | null = null;

  constructor(
    private readonly tracer: Tracer,
    private readonly span: Span,
    private readonly addresses: UpstreamAddresses,
  ) {
    this.traceId = span.spanContext().traceId;
  }

  beginUpstream(upstream: UpstreamName, method: string): string {
    const { hostname, port, protocol } = this.addresses[upstream];
    const attributes = {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    };
    const parent = trace.setSpan(ROOT_CONTEXT, this.span);
    this.upstreamSpan = this.tracer.startSpan(
      method,
      { kind: SpanKind.CLIENT, attributes, startTime: timeOf(performance.now()) },
      parent,
    );
    const { traceId, spanId, traceFlags: flags } = this.upstreamSpan.spanContext();
    return formatTraceParent({ traceId, spanId, flags });
  }

  endUpstream(status: number | null, failure: string | null): void {
    const { upstreamSpan } = this;
    if (upstreamSpan === null) return;
    this.upstreamSpan = null;
    if (status !== null) upstreamSpan.setAttribute('http.response.status_code', status);
    const error = status !== null && status >= 300 ? String(status) : failure;
    if (error !== null) upstreamSpan.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
    upstreamSpan.end(timeOf(performance.now()));
  }

  end(request: TracedRequest, status: number | null, endedAtMs: number): void {
    // Only if the client disconnected during the upstream request. Otherwise that span has ended already.
    this.endUpstream(null, 'aborted');
    const { span } = this;
    span.updateName(nameOf(request)).setAttributes(attributesOf(request));
    if (status !== null) span.setAttribute('http.response.status_code', status);
    const error = request.response.errorCode ?? (status === null ? 'aborted' : null);
    if (error !== null) span.setAttribute('error.type', error);
    // By the convention, a 4xx response is the client's error and not the server's.
    if (error !== null && (status === null || status >= 500 || status < 400))
      span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(timeOf(endedAtMs));
  }
}

function nameOf({ route, method, model }: TracedRequest): string {
  if (route?.kind !== 'gateway') return knownMethod(method);
  if (route.usage === null) return `${knownMethod(method)} ${route.endpoint}`;
  const operation = OPERATIONS[route.usage];
  return model === null ? operation : `${operation} ${withoutKeys(model)}`;
}

function attributesOf({ requestId, method, route, model, upstream, usage }: TracedRequest): Attributes {
  const attributes: Attributes = { 'http.request.method': knownMethod(method), 'gateway.request.id': requestId };
  if (route?.kind !== 'gateway') return attributes;
  attributes['http.route'] = route.endpoint;
  if (route.usage === null) return attributes;
  attributes['gen_ai.operation.name'] = OPERATIONS[route.usage];
  attributes['gen_ai.provider.name'] = PROVIDERS[route.upstream];
  if (model !== null) attributes['gen_ai.request.model'] = withoutKeys(model);
  if (upstream.answeredModel) attributes['gen_ai.response.model'] = withoutKeys(upstream.answeredModel);
  if (usage === null || usage.provenance === 'none') return attributes;
  // Usage that the upstream reported. An estimate can finish after the span has ended.
  attributes['gen_ai.usage.input_tokens'] = usage.inputTokens;
  attributes['gen_ai.usage.output_tokens'] = usage.outputTokens;
  return attributes;
}

/** A client can invent methods, which must not become span names. */
const knownMethod = (method: string): string => (METHODS.includes(method) ? method : '_OTHER');

/** `gen_ai.operation.name`. A route without a usage reader does not call a model. */
export const OPERATIONS: Readonly<Record<UsageReaderName, string>> = {
  chat: 'chat',
  completions: 'text_completion',
  messages: 'chat',
  responses: 'chat',
  embeddings: 'embeddings',
  media: 'generate_content',
};

/** `gen_ai.provider.name` by API, because the account's actual provider is unknown */
export const PROVIDERS = { default: 'openai', messages: 'anthropic' } as const;
