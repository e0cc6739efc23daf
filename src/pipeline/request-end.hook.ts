import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ModelState } from '../model-policy/availability.rules.js';
import { ModelStates } from '../model-policy/model-states.service.js';
import { RequestRecorder } from '../stats/request-recorder.service.js';
import { AccessLog } from '../telemetry/access-log.js';
import { ABORTED, RequestMetrics } from '../telemetry/metrics/request-metrics.js';
import { Tracing } from '../telemetry/tracing/tracing.js';

/** What an access log and a sample row show for a client that went away before the answer's head. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * When the answer has ended, however it did: the upstream request of a client that is gone is ended, and what is to be
 * remembered is handed on, for refused and served requests alike. One listener a request; Fastify's own hook does not
 * fire when the client goes away.
 */
@Injectable()
export class RequestEndHook {
  constructor(
    private readonly recorder: RequestRecorder,
    private readonly accessLog: AccessLog,
    private readonly metrics: RequestMetrics,
    private readonly tracing: Tracing,
    models: ModelStates,
  ) {
    const isKnownModel = (model: string) => isKnown(models.of(model));
    metrics.isKnownModel = isKnownModel;
  }

  attach(request: FastifyRequest, reply: FastifyReply): void {
    const { ctx } = request;
    const res = reply.raw;
    this.metrics.begun();
    ctx.trace = this.tracing.begin(request.raw, ctx.startedAtMs);
    res.on('close', () => {
      const endedAtMs = performance.now();
      // Somebody would have told it otherwise.
      const cutByClient = !res.writableFinished && ctx.onClientGone !== null;
      if (!res.writableFinished) ctx.onClientGone?.();
      ctx.onEnded?.();
      ctx.abandoned = !res.headersSent;
      const status = ctx.abandoned ? CLIENT_CLOSED_REQUEST : res.statusCode;
      const latencyMs = Math.round(endedAtMs - ctx.startedAtMs);
      if (ctx.route?.kind === 'gateway') this.recorder.record(ctx, status, latencyMs);
      this.accessLog.write(ctx, status, latencyMs);
      this.metrics.ended(ctx, cutByClient || ctx.abandoned ? ABORTED : status, endedAtMs, request);
      ctx.trace?.end(ctx, ctx.abandoned ? null : status, endedAtMs);
    });
  }
}

/** As long as the catalog is there it alone tells: the registry knows whole families by their beginning. */
const isKnown = ({ listed, facts }: ModelState): boolean => listed ?? facts !== null;
