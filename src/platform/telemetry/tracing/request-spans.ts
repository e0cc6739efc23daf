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
import type { RequestTrace, TracedRequest, TracedUpstream } from '../../request-context/request-trace.js';
import { withoutCredentials, withoutKeys } from '../redact.js';
import { operationOf, requestAttributes, responseAttributes } from './genai-attributes.rules.js';
import { formatTraceParent } from './trace-parent.rules.js';
import type { TracedHead } from './tracing.js';

/** Converts a `performance.now()` value to milliseconds since 1970. */
export const timeOf = (ms: number): number => performance.timeOrigin + ms;

/** Replaces a path without a route, because it can be any text, even a credential. */
const UNKNOWN_PATH = '/v1/[redacted]';

/** The addresses of a single account. `server.address` distinguishes them. */
const SINGLE_ACCOUNT: ReadonlySet<string> = new Set(['default', 'messages']);

const HOST = /^[0-9A-Za-z.:_[\]-]{1,255}$/;
const PORTS = { http: 80, https: 443 } as const;
const PORT_MAX = 65_535;

/** The client span stays open until the request ends, because the response is metered after the upstream request. */
interface UpstreamSpan {
  readonly span: Span;
  readonly startedAtMs: number;
  endedAtMs: number | null;
  cut: boolean;
}

/**
 * A server span per request by OpenTelemetry's HTTP conventions, and a client span for the upstream request by its GenAI
 * conventions, named `{operation} {model}`. Spans contain no headers, queries or texts of bodies (D24).
 */
export class RequestSpans implements RequestTrace {
  readonly traceId: string;
  readonly sampled: boolean;
  private upstream: UpstreamSpan | null = null;

  constructor(
    private readonly tracer: Tracer,
    private readonly span: Span,
    private readonly path: string,
  ) {
    this.traceId = span.spanContext().traceId;
    this.sampled = span.isRecording();
  }

  beginUpstream(request: TracedRequest, upstream: TracedUpstream, path: string): string {
    if (this.upstream !== null && this.sampled) finishClient(this.upstream, request);
    const startedAtMs = performance.now();
    const parent = trace.setSpan(ROOT_CONTEXT, this.span);
    const attributes = this.sampled ? this.clientAttributes(request, upstream, path) : {};
    const span = this.tracer.startSpan(
      this.sampled ? clientNameOf(request) : request.method,
      { kind: SpanKind.CLIENT, attributes, startTime: timeOf(startedAtMs) },
      parent,
    );
    this.upstream = { span, startedAtMs, endedAtMs: null, cut: false };
    const { traceId, spanId, traceFlags: flags } = span.spanContext();
    return formatTraceParent({ traceId, spanId, flags });
  }

  endUpstream(status: number | null, failure: string | null): void {
    const { upstream } = this;
    if (upstream === null || upstream.endedAtMs !== null) return;
    upstream.endedAtMs = performance.now();
    upstream.cut = failure !== null;
    const { span } = upstream;
    if (status !== null) span.setAttribute('http.response.status_code', status);
    const error = status !== null && status >= 300 ? String(status) : failure;
    if (error !== null) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(request: TracedRequest, status: number | null, endedAtMs: number): void {
    // Only if the client disconnected during the upstream request. Otherwise its end is known.
    this.endUpstream(null, 'aborted');
    const { upstream, span } = this;
    if (!this.sampled) return;
    if (upstream !== null) finishClient(upstream, request);
    span.updateName(serverNameOf(request)).setAttributes(ownAttributes(request, this.path));
    if (status !== null) span.setAttribute('http.response.status_code', status);
    const error = request.response.errorCode ?? (status === null ? 'aborted' : null);
    if (error !== null) span.setAttribute('error.type', error);
    // By the convention, a 4xx response is the client's error and not the server's.
    if (error !== null && (status === null || status >= 500 || status < 400))
      span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(timeOf(endedAtMs));
  }

  private clientAttributes(request: TracedRequest, upstream: TracedUpstream, path: string): Attributes {
    const { hostname, port, protocol, origin, pathname } = upstream.baseUrl;
    const attributes: Attributes = {
      ...requestAttributes(request, upstream.api),
      'http.request.method': knownMethod(request.method),
      'url.full': withoutCredentials(`${origin}${pathname.replace(/\/+$/, '')}${pathOf(path)}`),
      'url.scheme': protocol.slice(0, -1),
      'server.address': hostname.replace(/^\[|\]$/g, ''),
      'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      // `UpstreamPool` allows no other version.
      'network.protocol.version': '1.1',
    };
    if (request.key !== null) attributes['gateway.api_key.id'] = request.key.id;
    if (!SINGLE_ACCOUNT.has(upstream.name)) attributes['gateway.upstream'] = upstream.name;
    return attributes;
  }
}

function finishClient({ span, startedAtMs, endedAtMs, cut }: UpstreamSpan, request: TracedRequest): void {
  span.setAttributes(responseAttributes(request, startedAtMs, cut));
  if (request.response.errorReported)
    span.setAttribute('error.type', request.response.errorCode ?? '_OTHER').setStatus({ code: SpanStatusCode.ERROR });
  span.end(timeOf(endedAtMs ?? startedAtMs));
}

/** Attributes of the server span that the gateway itself determines: the caller and the target. */
function ownAttributes({ requestId, method, route, key, model }: TracedRequest, path: string): Attributes {
  const attributes: Attributes = {
    'http.request.method': knownMethod(method),
    'url.path': route?.kind === 'gateway' ? withoutCredentials(path) : UNKNOWN_PATH,
    'gateway.request.id': requestId,
  };
  if (key !== null) attributes['gateway.api_key.id'] = key.id;
  // Without an upstream request, no other span names the model.
  if (model !== null) attributes['gateway.model'] = withoutKeys(model);
  if (route?.kind === 'gateway') attributes['http.route'] = route.endpoint;
  return attributes;
}

function serverNameOf({ route, method }: TracedRequest): string {
  return route?.kind === 'gateway' ? `${nameOf(method)} ${route.endpoint}` : nameOf(method);
}

function clientNameOf(request: TracedRequest): string {
  const operation = operationOf(request);
  if (operation === null) return nameOf(request.method);
  return request.model === null ? operation : `${operation} ${withoutKeys(request.model)}`;
}

/** A client can invent methods, which must not become span names. */
const knownMethod = (method: string): string => (METHODS.includes(method) ? method : '_OTHER');

const nameOf = (method: string): string => (METHODS.includes(method) ? method : 'HTTP');

/**
 * The attributes of a server span that the request line, the connection and a trusted proxy determine. The convention also
 * recommends the client's address and user agent. They are left out, because they describe a person (D24).
 */
export function serverAttributes(request: TracedHead): Attributes {
  const { raw, hostname, port } = request;
  const scheme = request.protocol === 'https' ? 'https' : 'http';
  const attributes: Attributes = {
    'url.scheme': scheme,
    'network.protocol.version': raw.httpVersion,
  };
  // The client chooses the host, so it can be anything.
  if (!HOST.test(hostname)) return attributes;
  attributes['server.address'] = withoutCredentials(hostname.replace(/^\[|\]$/g, ''));
  attributes['server.port'] = port !== null && port <= PORT_MAX ? port : PORTS[scheme];
  return attributes;
}

/** The query can contain a credential. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
