import type { Attributes } from '@opentelemetry/api';
import { withoutCredentials } from '../redact.js';
import type { TracedHead } from './tracing.js';

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
