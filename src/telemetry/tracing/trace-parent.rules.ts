import type { IncomingHttpHeaders } from 'node:http';
import type { Attributes } from '@opentelemetry/api';
import { withoutCredentials } from '../redact.js';
import type { TracedHead } from './tracing.js';

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** Bit 0: the caller samples this trace. */
  readonly flags: number;
}

// Future versions can add fields. Version `ff` is invalid, and version `00` has exactly four fields.
const TRACE_PARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Returns the caller's span, or null if a new trace must start. In that case `tracestate` is deleted from `headers`: it belongs
 * to the caller's trace and would be forwarded with the gateway's `traceparent`.
 */
export function takeCallersTrace(headers: IncomingHttpHeaders): TraceParent | null {
  const parent = parseTraceParent(headers.traceparent);
  if (parent === null) delete headers.tracestate;
  return parent;
}

/** Returns null for an invalid header. A repeated header is invalid too, because Node joins its values with a comma. */
export function parseTraceParent(header: string | string[] | undefined): TraceParent | null {
  if (typeof header !== 'string') return null;
  const [, version, traceId, spanId, flags, more] = TRACE_PARENT.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (version === '00' && more !== undefined) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

export const formatTraceParent = ({ traceId, spanId, flags }: TraceParent): string =>
  `00-${traceId}-${spanId}-${(flags & 1).toString(16).padStart(2, '0')}`;

const HOST = /^[0-9A-Za-z.:_[\]-]{1,255}$/;
const PORTS = { http: 80, https: 443 } as const;
const PORT_MAX = 65_535;

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
