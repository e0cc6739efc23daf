import type { IncomingHttpHeaders } from 'node:http';
import { upstreamError } from '../errors/error-factories.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { isRelayed, relayedRefusal } from './relayed-refusal.js';
import { redactCredentials } from './redact-credentials.js';

const BODY_BYTES_MAX = 64 * 1024;
const BODY_MS_MAX = 5_000;
const MESSAGE_LENGTH_MAX = 500;
const RETRYABLE: ReadonlySet<number> = new Set([408, 409, 429]);

interface RefusalOptions {
  readonly secrets: readonly string[];
  /** Forwards statuses about the caller's request (`GW_UPSTREAM_ERRORS=relay`). Otherwise every error becomes a 502. */
  readonly relay: boolean;
}

/** An upstream response outside 2xx. At most 64 KiB of its body are read, for at most 5 s (D5). */
export class UpstreamRefusal {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private readonly timer = setTimeout(() => this.end(), BODY_MS_MAX);

  /** @param onReady called once, unless `stop()` was called before */
  constructor(
    private readonly status: number,
    private readonly headers: IncomingHttpHeaders,
    private readonly options: RefusalOptions,
    private readonly onReady: (error: GatewayError) => void,
  ) {}

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    this.chunks.push(chunk);
    if (this.bytes > BODY_BYTES_MAX) this.end();
  }

  end(): void {
    this.stop();
    const { status, headers } = this;
    const { secrets, relay } = this.options;
    const text = Buffer.concat(this.chunks).toString();
    const wrapped = upstreamRefused(status, headers, messageIn(text), secrets);
    this.onReady(relay && isRelayed(status) ? relayedRefusal(wrapped, { status, headers, text }, secrets) : wrapped);
  }

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
  const text = message === null ? `The upstream returned status ${status}.` : shown(message, secrets);
  return upstreamError(text, { headers });
}

/** Node's types allow one value, but a repeated header has several. */
const firstOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

const PRINTABLE = /^[\x20-\x7e]{1,500}$/;

/** Redacts before it shortens, because a truncated credential does not look like one. */
export const shown = (message: string, secrets: readonly string[]): string =>
  redactCredentials(message, secrets).slice(0, MESSAGE_LENGTH_MAX).toWellFormed();

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
  return message === null || !Array.isArray(loc) ? message : `${loc.join('.')}: ${message}`;
}

const firstIn = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
