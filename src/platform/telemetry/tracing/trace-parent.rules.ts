import type { IncomingHttpHeaders } from 'node:http';

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
