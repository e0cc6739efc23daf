import type { IncomingHttpHeaders } from 'node:http';
import { upstreamError } from '../platform/errors/error-factories.js';
import { RELAYED_STATUSES } from '../platform/errors/error-code.data.js';
import { type GatewayError, RelayedError } from '../platform/errors/gateway-error.js';
import { parseResponse } from '../platform/json/json-structure.js';
import { redactCredentials } from './redaction/redact-credentials.js';
import { redactJson } from './redaction/redact-json.js';
import { containsSecret } from '../upstream/credentials.js';
import { forwardedResponseHeaders } from '../upstream/response-headers.js';
import { notConvertible } from '../upstream/upstream-failure.js';

const BODY_BYTES_MAX = 64 * 1024;
const BODY_MS_MAX = 5_000;
const MESSAGE_LENGTH_MAX = 500;
/** A longer body that cannot be converted to a completion is not an error. */
const CONVERTED_ERROR_BYTES_MAX = 1024 * 1024;
/** An error has few values. A body of the length above can have hundreds of thousands. */
const PARSED_BYTES_MAX = 4 * 1024 * 1024;
const RETRYABLE: ReadonlySet<number> = new Set([408, 409, 429]);

interface RefusalOptions {
  readonly secrets: readonly string[];
  /** Forwards statuses about the caller's request (`GW_UPSTREAM_ERRORS=relay`). Otherwise every error becomes a 502. */
  readonly relay: boolean;
}

interface RefusalOwner {
  /** Called once, unless `stop()` was called before. */
  fail(error: GatewayError): void;
  /** Must call `end()`. */
  onRefusalTimeout(): void;
}

/** An upstream response outside 2xx. At most 64 KiB of its body are read, for at most 5 s (D5). */
export class UpstreamRefusal {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly status: number,
    private readonly headers: IncomingHttpHeaders,
    private readonly options: RefusalOptions,
    private readonly owner: RefusalOwner,
  ) {
    this.timer = setTimeout(() => owner.onRefusalTimeout(), BODY_MS_MAX);
  }

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    this.chunks.push(chunk);
    if (this.bytes > BODY_BYTES_MAX) this.end();
  }

  /** Fails the response with the error that the bytes so far describe. */
  end(): void {
    this.stop();
    const { status, headers } = this;
    const { secrets, relay } = this.options;
    const text = Buffer.concat(this.chunks).toString();
    const wrapped = upstreamRefused(status, headers, messageIn(text), secrets);
    this.owner.fail(
      relay && RELAYED_STATUSES.has(status) ? relayedRefusal(wrapped, { status, headers, text }, secrets) : wrapped,
    );
  }

  /** Stops the timer, so that nothing is reported. */
  stop(): void {
    clearTimeout(this.timer);
  }
}

/** Builds the 502 for an upstream response. `message` is the upstream's own. */
export function upstreamRefused(
  status: number,
  upstream: IncomingHttpHeaders,
  message: string | null,
  secrets: readonly string[],
): GatewayError {
  const headers: Record<string, string> = { 'x-gw-upstream-status': String(status) };
  const retryAfter = firstOf(upstream['retry-after']);
  if (retryAfter !== undefined && PRINTABLE.test(retryAfter)) headers['retry-after'] = retryAfter;
  const requestId = upstream['x-request-id'] ?? upstream['request-id'];
  if (typeof requestId === 'string' && PRINTABLE.test(requestId)) headers['x-gw-upstream-request-id'] = requestId;
  if (status >= 400 && status < 500 && !RETRYABLE.has(status)) headers['x-should-retry'] = 'false';
  const text = message === null ? `The upstream returned status ${status}.` : safeMessage(message, secrets);
  return upstreamError(text, { headers });
}

/** The error for a response that cannot be converted. Its body can be an error of the provider. */
export function refusedConversion(
  cause: unknown,
  body: Buffer,
  { status, headers }: { readonly status: number; readonly headers: IncomingHttpHeaders },
  secrets: readonly string[],
): GatewayError {
  const message = body.length > CONVERTED_ERROR_BYTES_MAX ? null : messageIn(body.toString());
  return message === null ? notConvertible(cause) : upstreamRefused(status, headers, message, secrets);
}

/** Node's types allow one value, but a repeated header has several. */
const firstOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

const PRINTABLE = /^[\x20-\x7e]{1,500}$/;

/** Redacts before it shortens, because a truncated credential does not look like one. */
export const safeMessage = (message: string, secrets: readonly string[]): string =>
  redactCredentials(message.slice(0, BODY_BYTES_MAX), secrets).slice(0, MESSAGE_LENGTH_MAX).toWellFormed();

/** Providers use different fields. FastAPI's `detail` is a text or a list of `{loc, msg}`. */
export function messageIn(text: string): string | null {
  const json = parsed(text);
  const { error, message, detail, errors } = objectOf(firstIn(json));
  return (
    textOf(objectOf(error)['message']) ??
    textOf(message) ??
    textOf(error) ??
    detailIn(detail) ??
    detailIn(objectOf(message)['detail']) ??
    textOf(objectOf(firstIn(errors))['message']) ??
    textOf(firstIn(errors))
  );
}

function detailIn(detail: unknown): string | null {
  if (!Array.isArray(detail)) return textOf(detail) ?? textOf(objectOf(detail)['message']);
  const { msg, loc } = objectOf(firstIn(detail));
  const message = textOf(msg);
  if (message === null || !Array.isArray(loc)) return message;
  // Converting an object to text would call a `toString` that the provider chose.
  const path = (loc as unknown[]).filter((part) => typeof part === 'string' || typeof part === 'number');
  return `${path.join('.')}: ${message}`;
}

const firstIn = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : value);

function parsed(text: string): unknown {
  try {
    return parseResponse(text, PARSED_BYTES_MAX);
  } catch {
    return null;
  }
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const RETRY_ADVICE = ['retry-after-ms', 'x-should-retry'] as const;

/** On error responses, the gateway sets these itself. */
const SET_BY_GATEWAY = /^(?:content-type|request-id|x-ratelimit-.*)$/;
const NAMED_BY_GATEWAY = ['x-gw-upstream-status', 'x-gw-upstream-request-id'] as const;

/** With `GW_UPSTREAM_ERRORS=relay`, the client gets the provider's status, body and allowlisted headers. */
function relayedRefusal(
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
    if (typeof value === 'string' && RETRY_ADVICE_VALUE.test(value)) headers[name] = value;
  }
  for (const name of NAMED_BY_GATEWAY) if (wrapped.headers[name] !== undefined) headers[name] = wrapped.headers[name];
  return new RelayedError(
    { status: response.status, body: relayedBody(response.text, secrets) },
    wrapped.message,
    headers,
  );
}

const RETRY_ADVICE_VALUE = /^[\x20-\x7e]{1,100}$/;

/** Null if the body is not a complete JSON object or array, or if a credential cannot be removed from it. */
function relayedBody(text: string, secrets: readonly string[]): string | null {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return null;
  const safe = redactJson(Buffer.from(text), (part) => redactCredentials(part, secrets)).toString();
  return containsSecret(safe, secrets) ? null : safe;
}
