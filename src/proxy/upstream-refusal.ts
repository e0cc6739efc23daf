import type { IncomingHttpHeaders } from 'node:http';
import { upstreamError } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { isRelayed, relayedRefusal } from './relayed-refusal.js';
import { redactCredentials } from './redact-credentials.js';

const BODY_BYTES_MAX = 64 * 1024;
const BODY_MS_MAX = 5_000;
const MESSAGE_LENGTH_MAX = 500;
/** 4xx that a repeat may turn into an answer. */
const WORTH_REPEATING: ReadonlySet<number> = new Set([408, 409, 429]);

/** How an error response of the provider reaches the client. */
interface RefusalOptions {
  /** Never shown to a client. */
  readonly secrets: readonly string[];
  /** Statuses about the caller's request are passed on (`GW_UPSTREAM_ERRORS=relay`). Otherwise every error becomes a 502. */
  readonly relay: boolean;
}

/** An upstream response outside 2xx. Up to 64 KiB of its body are read, for up to 5 s (D5). */
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

  /** The response has ended, whole or not. */
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

/** The 502 for an upstream answer. `message` is the upstream's own, null where it gave none. */
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
  if (status >= 400 && status < 500 && !WORTH_REPEATING.has(status)) headers['x-should-retry'] = 'false';
  const text = message === null ? `The upstream answered with status ${status}.` : shown(message, secrets);
  return upstreamError(text, { headers });
}

/** The types know one value of these; where the upstream repeats it, there are several all the same. */
const firstOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

const PRINTABLE = /^[\x20-\x7e]{1,500}$/;

/** The provider's message as it may be shown. It is redacted first, because a credential that is cut no longer looks like one. */
export const shown = (message: string, secrets: readonly string[]): string =>
  redactCredentials(message, secrets).slice(0, MESSAGE_LENGTH_MAX).toWellFormed();

/**
 * What an error answer says, whose author may be any provider: `error.message`, `message`, the string `error`; `detail`, as
 * servers on FastAPI have it, a text or a list of `{loc, msg}`; the first of `errors`.
 */
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
