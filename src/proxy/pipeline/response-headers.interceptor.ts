import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { contextOf } from '../../platform/request-context/context.decorator.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import { Config } from '../../platform/config/config.js';
import { Lifecycle } from '../../platform/lifecycle.js';
import { withoutCredentials, withoutKeys } from '../../platform/telemetry/redact.js';
import { isModelName } from '../../platform/validation/model-name.rules.js';
import type { QuotaFigures, WindowFigures } from '../../platform/request-context/key-snapshot.js';

@Injectable()
export class ResponseHead {
  private readonly worker: string | null;

  constructor(
    config: Config,
    private readonly lifecycle: Lifecycle,
  ) {
    this.worker = config.production ? config.version : null;
  }

  headers(ctx: RequestContext, status: number): string[] {
    ctx.response.headAtMs = performance.now();
    return responseHeaders(ctx, status, { worker: this.worker, draining: this.lifecycle.draining });
  }
}

/** Sets `ownHeaders` in the context, which computes the gateway's headers when the response headers are written. */
@Injectable()
export class ResponseHeadersInterceptor implements NestInterceptor {
  constructor(private readonly head: ResponseHead) {}

  /** Replaces `intercept` without Nest's Observables (see `nest-interceptors.ts`). */
  prepare(request: FastifyRequest): void {
    this.setOwnHeaders(request.ctx);
  }

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.setOwnHeaders(contextOf(host));
    return next.handle();
  }

  private setOwnHeaders(ctx: RequestContext): void {
    const ownHeaders = () => this.head.headers(ctx, 200);
    ctx.response.ownHeaders = ownHeaders;
  }
}

export interface ProcessTraits {
  /** `X-GW-Worker`. Null outside production. */
  readonly worker: string | null;
  readonly draining: boolean;
}

/** Returns the gateway's own headers as of now (D4), as a flat list of lower-case names and values. */
export function responseHeaders(ctx: RequestContext, status: number, traits: ProcessTraits): string[] {
  const headers = ['x-request-id', ctx.requestId];
  if (traits.draining) headers.push('connection', 'close');
  if (ctx.client.requestId !== null) headers.push('x-gw-client-id', ctx.client.requestId);
  if (ctx.client.crossOrigin) headers.push(...CORS_HEADERS);
  if (ctx.route?.kind === 'admin' || ctx.route?.kind === 'dashboard') pushForOperators(headers, ctx);
  if (ctx.route?.kind !== 'gateway') return headers;
  headers.push('x-gw-latency', String(Math.round((ctx.response.headAtMs ?? performance.now()) - ctx.startedAtMs)));
  if (ctx.upstream.latencyMs !== null)
    headers.push('x-gw-upstream-latency', String(Math.round(ctx.upstream.latencyMs)));
  if (ctx.upstream.name !== null) headers.push('x-gw-upstream', ctx.upstream.name);
  if (ctx.response.cost !== null) headers.push('x-gw-cost', ctx.response.cost);
  const model = ctx.upstream.responseModel ?? ctx.model;
  if (model !== '' && isModelName(model)) headers.push('x-gw-model', printable(withoutKeys(model)));
  if (ctx.key !== null && status !== 401 && status !== 403) headers.push('x-gw-key-name', keyNameHeader(ctx.key.name));
  if (traits.worker !== null) headers.push('x-gw-worker', traits.worker);
  if (ctx.figures !== null) pushRateLimits(headers, ctx.figures);
  return headers;
}

/** Responses to operators are neither cached nor sniffed, because they contain names and user agents that third parties choose. */
function pushForOperators(headers: string[], { response }: RequestContext): void {
  headers.push('cache-control', 'no-store', 'x-content-type-options', 'nosniff');
  if (response.setCookie !== null) headers.push('set-cookie', response.setCookie);
}

const shownNames = new Map<string, string>();
const SHOWN_NAMES_MAX = 10_000;

function keyNameHeader(name: string): string {
  const known = shownNames.get(name);
  if (known !== undefined) return known;
  if (shownNames.size >= SHOWN_NAMES_MAX) shownNames.clear();
  const shown = printable(withoutCredentials(name));
  shownNames.set(name, shown);
  return shown;
}

/** Percent-encodes all characters except printable ASCII. If a character is encoded, percent signs are encoded too. */
function printable(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.trim() === text ? text : encodeURIComponent(text);
  return text.toWellFormed().replace(/[^\x20-\x24\x26-\x7e]+/g, encodeURIComponent);
}

// Created once, because Node checks every character of a header name that is a new string.
const namesFor = (window: string) => ({
  limit: `x-ratelimit-limit-${window}`,
  remaining: `x-ratelimit-remaining-${window}`,
  reset: `x-ratelimit-reset-${window}`,
});
const MINUTE = namesFor('requests');
const DAY = namesFor('day');
const MONTH = namesFor('month');
const TOKENS = namesFor('tokens');
const RATE_LIMIT_HEADERS: readonly string[] = [MINUTE, DAY, MONTH, TOKENS].flatMap((names) => Object.values(names));

/** Appends `X-RateLimit-*` (D4) to a flat list of names and values. Month and token headers are added only if they are limited. */
function pushRateLimits(headers: string[], figures: QuotaFigures): void {
  const { nowMs } = figures;
  pushWindow(headers, MINUTE, figures.minute, nowMs);
  pushWindow(headers, DAY, figures.day, nowMs);
  if (figures.month.limit !== null) pushWindow(headers, MONTH, figures.month, nowMs);
  if (figures.tokens.limit !== null) pushWindow(headers, TOKENS, figures.tokens, nowMs);
}

function pushWindow(
  headers: string[],
  names: ReturnType<typeof namesFor>,
  { limit, used, resetsAtMs }: WindowFigures<number | null>,
  nowMs: number,
): void {
  const effectiveLimit = limit ?? 0;
  headers.push(names.limit, String(effectiveLimit), names.remaining, String(Math.max(0, effectiveLimit - used)));
  headers.push(names.reset, `${Math.ceil((resetsAtMs - nowMs) / 1000)}s`);
}

const EXPOSED = [
  'x-request-id',
  'x-gw-client-id',
  'x-gw-latency',
  'x-gw-upstream-latency',
  'x-gw-upstream-request-id',
  'x-gw-upstream',
  'x-gw-cost',
  'x-gw-upstream-status',
  'x-gw-model',
  'x-gw-key-name',
  'x-gw-worker',
  'x-should-retry',
  'retry-after',
  ...RATE_LIMIT_HEADERS,
  // Exposes the upstream's headers in browsers that support the wildcard.
  '*',
].join(', ');

/** A flat list of headers for requests with an `Origin`. Any origin can read /v1 without credentials (D25). */
export const CORS_HEADERS = ['access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED] as const;
