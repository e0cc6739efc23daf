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

/** Milliseconds since 1970 of a moment by `performance.now()`, as OpenTelemetry takes it. */
export const timeOf = (ms: number): number => performance.timeOrigin + ms;

/**
 * One server span a request, named `{operation} {model}`, and below it a client span for the upstream call, by the GenAI and
 * HTTP conventions. Templates, names of models, counts and codes only: no header, no query, no byte of a body (D24).
 */
export class RequestSpans implements RequestTrace {
  readonly traceId: string;
  private call: Span | null = null;

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
    this.call = this.tracer.startSpan(
      method,
      { kind: SpanKind.CLIENT, attributes, startTime: timeOf(performance.now()) },
      parent,
    );
    const { traceId, spanId, traceFlags: flags } = this.call.spanContext();
    return formatTraceParent({ traceId, spanId, flags });
  }

  endUpstream(status: number | null, failure: string | null): void {
    const { call } = this;
    if (call === null) return;
    this.call = null;
    if (status !== null) call.setAttribute('http.response.status_code', status);
    const error = status !== null && status >= 300 ? String(status) : failure;
    if (error !== null) call.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
    call.end(timeOf(performance.now()));
  }

  end(request: TracedRequest, status: number | null, endedAtMs: number): void {
    // Its client went while nobody was looking.
    this.endUpstream(null, 'aborted');
    const { span } = this;
    span.updateName(nameOf(request)).setAttributes(attributesOf(request));
    if (status !== null) span.setAttribute('http.response.status_code', status);
    const error = request.response.errorCode ?? (status === null ? 'aborted' : null);
    if (error !== null) span.setAttribute('error.type', error);
    // An answer of 4xx is the caller's failure and none of the server's, by the convention.
    if (error !== null && (status === null || status >= 500 || status < 400))
      span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(timeOf(endedAtMs));
  }
}

function nameOf({ route, method, model }: TracedRequest): string {
  if (route?.kind !== 'gateway') return shownMethod(method);
  if (route.usage === null) return `${shownMethod(method)} ${route.endpoint}`;
  const operation = OPERATIONS[route.usage];
  return model === null ? operation : `${operation} ${withoutKeys(model)}`;
}

function attributesOf({ requestId, method, route, model, upstream, usage }: TracedRequest): Attributes {
  const attributes: Attributes = { 'http.request.method': shownMethod(method), 'gateway.request.id': requestId };
  if (route?.kind !== 'gateway') return attributes;
  attributes['http.route'] = route.endpoint;
  if (route.usage === null) return attributes;
  attributes['gen_ai.operation.name'] = OPERATIONS[route.usage];
  attributes['gen_ai.provider.name'] = PROVIDERS[route.upstream];
  if (model !== null) attributes['gen_ai.request.model'] = withoutKeys(model);
  if (upstream.answeredModel) attributes['gen_ai.response.model'] = withoutKeys(upstream.answeredModel);
  if (usage === null || usage.provenance === 'none') return attributes;
  // What the upstream has told: an estimate may still be under way when the span ends.
  attributes['gen_ai.usage.input_tokens'] = usage.inputTokens;
  attributes['gen_ai.usage.output_tokens'] = usage.outputTokens;
  return attributes;
}

/** A method of the client's own making would be a word of its own in a span's name. */
const shownMethod = (method: string): string => (METHODS.includes(method) ? method : '_OTHER');

/** `gen_ai.operation.name`, by how tokens are found in the answers; a route without asks no model. */
export const OPERATIONS: Readonly<Record<UsageReaderName, string>> = {
  chat: 'chat',
  completions: 'text_completion',
  messages: 'chat',
  responses: 'chat',
  embeddings: 'embeddings',
  media: 'generate_content',
};

/** `gen_ai.provider.name`: by the interface that is spoken, for who answers behind one account is not known here. */
export const PROVIDERS = { default: 'openai', messages: 'anthropic' } as const;
