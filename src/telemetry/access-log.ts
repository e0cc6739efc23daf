import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { onceAMillisecond } from '../request-context/once-a-millisecond.js';
import type { RequestContext } from '../request-context/request-context.js';
import { ProcessLog } from './process-log.js';
import { withoutKeys } from './redact.js';

const INFO = 30;

/** One line a request, sampled by `GW_ACCESS_LOG_RATE`; 5xx always. No body, no header, no query: no credential (D24). */
@Injectable()
export class AccessLog {
  private readonly rate: number;
  private readonly informs: boolean;
  private readonly writeLine: ((line: string) => void) | null;

  constructor(
    config: Config,
    private readonly log: ProcessLog,
  ) {
    this.rate = config.accessLogRate;
    this.informs = log.informs;
    this.writeLine = log.writeLine;
  }

  write(ctx: RequestContext, status: number, latencyMs: number): void {
    if (!this.informs) return;
    if (status < 500 && (this.rate === 0 || (this.rate < 1 && Math.random() >= this.rate))) return;
    const fields = fieldsOf(ctx, status, latencyMs);
    if (this.writeLine === null) this.log.pino.info(fields, 'request');
    else this.writeLine(lineOf(fields));
  }
}

/** As pino writes it. Put together by hand: spread into one object the fields took twice as long. */
const lineOf = (fields: object): string =>
  `{"level":${INFO},"time":"${isoTime(Date.now())}",${JSON.stringify(fields).slice(1, -1)},"msg":"request"}\n`;

// Making the text costs more than the rest of the line.
const isoTime = onceAMillisecond((ms) => new Date(ms).toISOString());

function fieldsOf(ctx: RequestContext, status: number, latencyMs: number) {
  const { route, upstreamLatencyMs } = ctx;
  return {
    request_id: ctx.requestId,
    trace_id: ctx.trace?.traceId,
    method: ctx.method,
    endpoint: route?.kind === 'gateway' ? route.endpoint : route?.kind,
    status,
    code: ctx.errorCode ?? undefined,
    key_id: ctx.key?.id,
    model: ctx.model === null ? undefined : withoutKeys(ctx.model.slice(0, 200)),
    stream: ctx.stream || undefined,
    latency_ms: latencyMs,
    upstream_latency_ms: upstreamLatencyMs === null ? undefined : Math.round(upstreamLatencyMs),
  };
}
