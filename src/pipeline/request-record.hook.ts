import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestRecorder } from '../stats/request-recorder.service.js';
import { AccessLog } from '../telemetry/access-log.js';

/** What an access log and a sample row show for a client that went away before the answer's head. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * When the answer has ended, however it did: the upstream request of a client that is gone is ended, and what is to be
 * remembered is handed on, for refused and served requests alike. One listener a request; Fastify's own hook does not
 * fire when the client goes away.
 */
@Injectable()
export class RequestRecordHook {
  constructor(
    private readonly recorder: RequestRecorder,
    private readonly accessLog: AccessLog,
  ) {}

  attach(request: FastifyRequest, reply: FastifyReply): void {
    const { ctx } = request;
    const res = reply.raw;
    res.once('close', () => {
      if (!res.writableFinished) ctx.onClientGone?.();
      ctx.onEnded?.();
      ctx.abandoned = !res.headersSent;
      const status = ctx.abandoned ? CLIENT_CLOSED_REQUEST : res.statusCode;
      const latencyMs = Math.round(performance.now() - ctx.startedAtMs);
      if (ctx.route?.kind === 'gateway') this.recorder.record(ctx, status, latencyMs);
      this.accessLog.write(ctx, status, latencyMs);
    });
  }
}
