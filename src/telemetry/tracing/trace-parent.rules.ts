import type { IncomingHttpHeaders } from 'node:http';

/** The caller's span, as a W3C `traceparent` names it. */
export interface TraceParent {
  /** 32 hexadecimal digits, not all 0. */
  readonly traceId: string;
  /** 16 hexadecimal digits, not all 0. */
  readonly spanId: string;
  /** Bit 0: the caller keeps this trace. */
  readonly flags: number;
}

// Versions to come may add fields; `ff` is none, and version 00 has no more than four.
const TRACE_PARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * The caller's span; null: none, so a trace of its own begins. Then its `tracestate` means nothing, and is taken out of
 * `headers`: it would go upstream beside a `traceparent` of ours.
 */
export function takeCallersTrace(headers: IncomingHttpHeaders): TraceParent | null {
  const parent = parseTraceParent(headers.traceparent);
  if (parent === null) delete headers.tracestate;
  return parent;
}

/** null: it is none, so a trace of its own begins. Given twice it comes joined by a comma, and is none either. */
export function parseTraceParent(header: string | string[] | undefined): TraceParent | null {
  if (typeof header !== 'string') return null;
  const [, version, traceId, spanId, flags, more] = TRACE_PARENT.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (version === '00' && more !== undefined) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

export const formatTraceParent = ({ traceId, spanId, flags }: TraceParent): string =>
  `00-${traceId}-${spanId}-${(flags & 1).toString(16).padStart(2, '0')}`;
