import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayError } from '../errors/gateway-error.js';
import { RelayedError } from '../errors/relayed-error.js';
import { forwardedResponseHeaders } from '../upstream/response-header-allowlist.js';
import { redactCredentials } from './redact-credentials.js';

/** Statuses about the caller's request. 401, 402 and 403 concern the operator's account, so they become 502. */
const RELAYED: ReadonlySet<number> = new Set([400, 404, 408, 409, 413, 422, 429, 529]);

export const isRelayed = (status: number): boolean => RELAYED.has(status);

const RETRY_ADVICE = ['retry-after-ms', 'x-should-retry'] as const;

/** On error responses, the gateway sets these itself. */
const SET_BY_GATEWAY = /^(?:content-type|request-id|x-ratelimit-.*)$/;
const NAMED_BY_GATEWAY = ['x-gw-upstream-status', 'x-gw-upstream-request-id'] as const;

/** With `GW_UPSTREAM_ERRORS=relay`, the client gets the provider's status, body and allowlisted headers. */
export function relayedRefusal(
  wrapped: GatewayError,
  response: { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string },
  secrets: readonly string[],
): RelayedError {
  const headers: Record<string, string> = {};
  const forwarded = forwardedResponseHeaders(response.headers, []);
  for (let at = 0; at < forwarded.length; at += 2)
    if (!SET_BY_GATEWAY.test(forwarded[at]!)) headers[forwarded[at]!] = forwarded[at + 1]!;
  for (const name of RETRY_ADVICE) {
    const value = response.headers[name];
    if (typeof value === 'string' && PRINTABLE.test(value)) headers[name] = value;
  }
  for (const name of NAMED_BY_GATEWAY) if (wrapped.headers[name] !== undefined) headers[name] = wrapped.headers[name];
  return new RelayedError(
    { status: response.status, body: relayedBody(response.text, secrets) },
    wrapped.message,
    headers,
  );
}

const PRINTABLE = /^[\x20-\x7e]{1,100}$/;

/** Null if the body is not a complete JSON object or array. */
function relayedBody(text: string, secrets: readonly string[]): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const plain = redactCredentials(text, secrets);
  // JSON escapes can hide a credential from a search in the text. Redacting the text can also break the JSON.
  const redact = (_: string, field: unknown) => (typeof field === 'string' ? redactCredentials(field, secrets) : field);
  const safe = JSON.stringify(value, redact);
  return plain === text && safe === JSON.stringify(value) ? text : safe;
}
