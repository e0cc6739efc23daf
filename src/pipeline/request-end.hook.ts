import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnownModel } from '../model-policy/availability.rules.js';
import { ModelStates } from '../model-policy/model-states.service.js';
import { RequestRecorder } from '../stats/request-recorder.service.js';
import { AccessLog } from '../telemetry/access-log.js';
import { ABORTED, RequestMetrics } from '../telemetry/metrics/request-metrics.js';
import { Tracing } from '../telemetry/tracing/tracing.js';

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
      if (ctx.route?.kind === 'gateway') this.recorder.record(ctx, status, latencyMs);
      this.accessLog.write(ctx, status, latencyMs);
      const aborted = response.cutByClient || response.abandoned;
      this.metrics.ended(ctx, aborted ? ABORTED : status, endedAtMs, request, this.isKnownModel);
      ctx.trace?.end(ctx, response.abandoned ? null : status, endedAtMs);
    });
  }
}
