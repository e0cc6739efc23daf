import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { runGuarded } from '../../platform/errors/guarded.js';
import { isKnownModel } from '../../model-policy/availability.rules.js';
import { ModelStates } from '../../model-policy/model-states.service.js';
import { RequestRecorder } from '../../stats/request-recorder.service.js';
import { AccessLog } from '../../platform/telemetry/access-log.js';
import { ABORTED, RequestMetrics } from '../../platform/telemetry/metrics/request-metrics.js';
import { Tracing } from '../../platform/telemetry/tracing/tracing.js';
import { awaitingContinue } from '../../platform/patches/node-protocol-errors.js';
import { RequestContext } from '../../platform/request-context/request-context.js';
import { clientIdOf } from '../../platform/request-context/request-id.js';
import { hasCors } from './own-response.js';

/** Creates the context of a request, and takes the client's headers that later stages need. */
export function startContext(request: FastifyRequest): RequestContext {
  const { raw: req } = request;
  const ctx = new RequestContext(request.id, req.method ?? '');
  request.ctx = ctx;
  const { headers } = req;
  if (headers['x-request-id'] !== undefined) ctx.client.requestId = clientIdOf(headers['x-request-id']);
  if (headers.origin !== undefined && hasCors(req.url)) ctx.client.crossOrigin = true;
  if (headers['content-type'] !== undefined) {
    ctx.client.contentType = headers['content-type'];
    // Otherwise Fastify would reject a malformed type before the key is checked.
    delete headers['content-type'];
  }
  if (headers.expect !== undefined && awaitingContinue.has(req)) ctx.client.awaitsContinue = true;
  return ctx;
}

const SLASH = 0x2f;
const SCHEME_AND_AUTHORITY = /^https?:\/\/[^/?#]+/i;

/** Clients behind a forward proxy send the absolute form (RFC 9112, 3.2.2). Other targets are returned unchanged. */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === SLASH) return target;
  const match = SCHEME_AND_AUTHORITY.exec(target);
  if (match === null) return target;
  const rest = target.slice(match[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Describes a problem of the request's headers that Node does not report, or returns null. Node drops the second of two `Host`,
 * `Authorization` or `Content-Type` headers. It takes 50 ns.
 */
export function headProblem({ rawHeaders, headers, httpVersion }: IncomingMessage): string | null {
  if (headers.host === undefined && httpVersion === '1.1') return 'The Host header is missing. Add it to the request.';
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    const single = BY_LENGTH[name.length];
    if (single === undefined || (name !== single && name.toLowerCase() !== single)) continue;
    const bit = 1 << name.length;
    if ((seen & bit) !== 0) return `The request has more than one ${single} header. Send it once.`;
    seen |= bit;
  }
  return null;
}

/**
 * Headers that decide who sends a request, where it goes, or how its body is read. Parsers disagree on which of two values to use, so
 * a proxy in front of the gateway could treat the request differently. Two `Cookie` headers are equivalent to a joined one.
 */
const SINGLE_HEADERS = [
  'host',
  'x-api-key',
  'content-type',
  'authorization',
  'content-length',
  'transfer-encoding',
] as const;

/** All names have different lengths, so most headers need only one lookup by length. */
const BY_LENGTH: (string | undefined)[] = [];
for (const name of SINGLE_HEADERS) BY_LENGTH[name.length] = name;

const CLIENT_CLOSED_REQUEST = 499;

/**
 * Aborts the upstream request and reports to statistics, access log, metrics and trace when a response closes, whether it is
 * complete, rejected or interrupted. It listens to `close`, because Fastify's `onResponse` does not run if the client disconnects.
 */
@Injectable()
export class RequestEndHook {
  private readonly isKnownModel: (model: string) => boolean;

  constructor(
    private readonly recorder: RequestRecorder,
    private readonly accessLog: AccessLog,
    private readonly metrics: RequestMetrics,
    private readonly tracing: Tracing,
    models: ModelStates,
  ) {
    const isKnown = (model: string) => isKnownModel(models.of(model));
    this.isKnownModel = isKnown;
  }

  /** Begins the trace, and waits for the close. */
  attach(request: FastifyRequest, reply: FastifyReply): void {
    const { ctx } = request;
    const { response } = ctx;
    const res = reply.raw;
    this.metrics.begun();
    ctx.trace = this.tracing.begin(request, ctx.startedAtMs);
    res.on('close', () => {
      const endedAtMs = performance.now();
      ctx.end();
      response.abandoned = !res.headersSent;
      const status = response.abandoned ? CLIENT_CLOSED_REQUEST : res.statusCode;
      const latencyMs = Math.round(endedAtMs - ctx.startedAtMs);
      const aborted = response.cutByClient || response.abandoned;
      const counted = aborted ? ABORTED : status;
      // A record that fails must not prevent the others.
      if (ctx.route?.kind === 'gateway') runGuarded(() => this.recorder.record(ctx, status, latencyMs));
      runGuarded(() => this.accessLog.write(ctx, status, latencyMs));
      runGuarded(() => this.metrics.ended(request, counted, endedAtMs, this.isKnownModel));
      runGuarded(() => ctx.trace?.end(ctx, response.abandoned ? null : status, endedAtMs));
    });
  }
}
