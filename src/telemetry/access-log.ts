import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { RequestContext } from '../request-context/request-context.js';
import { ProcessLog } from './process-log.js';

/** One line a request, sampled by `GW_ACCESS_LOG_RATE`; 5xx always. No body, no header, no query: no credential (D24). */
@Injectable()
export class AccessLog {
  private readonly rate: number;

  constructor(
    config: Config,
    private readonly log: ProcessLog,
  ) {
    this.rate = config.accessLogRate;
  }

  write(ctx: RequestContext, status: number, latencyMs: number): void {
    if (status < 500 && (this.rate === 0 || (this.rate < 1 && Math.random() >= this.rate))) return;
    const endpoint = ctx.route?.kind === 'gateway' ? ctx.route.endpoint : ctx.route?.kind;
    this.log.pino.info(
      {
        request_id: ctx.requestId,
        method: ctx.method,
        endpoint,
        status,
        code: ctx.errorCode ?? undefined,
        key_id: ctx.key?.id,
        model: ctx.model?.slice(0, 200),
        stream: ctx.stream || undefined,
        latency_ms: latencyMs,
        upstream_latency_ms: ctx.upstreamLatencyMs === null ? undefined : Math.round(ctx.upstreamLatencyMs),
      },
      'request',
    );
  }
}
