import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { memoizePerMillisecond } from '../request-context/request-id.js';
import type { RequestContext } from '../request-context/request-context.js';
import { ProcessLog } from './process-log.js';
import { withoutKeys } from './redact.js';

const INFO = 30;
const WARN = 40;

/**
 * Writes one line per request, sampled by `GW_ACCESS_LOG_RATE`. Every 5xx response is logged, as a warning. Public routes, such as
 * health probes, are logged only if they fail. Bodies, headers and queries can contain credentials, so they are not logged (D24).
 */
@Injectable()
export class AccessLog {
  private readonly rate: number;
  private readonly levelMin: number;
  private readonly writeLine: ((line: string) => void) | null;

  constructor(
    config: Config,
    private readonly log: ProcessLog,
  ) {
    this.rate = config.accessLogRate;
    this.levelMin = log.levelMin;
    this.writeLine = log.writeLine;
  }

  write(ctx: RequestContext, status: number, latencyMs: number): void {
    const level = status < 500 ? INFO : WARN;
    if (level < this.levelMin || (level === INFO && !this.isKept(ctx, status))) return;
    const fields = fieldsOf(ctx, status, latencyMs);
    if (this.writeLine !== null) this.writeLine(lineOf(level, fields));
    else this.log.pino[level === INFO ? 'info' : 'warn'](fields, 'request');
  }

  private isKept({ route }: RequestContext, status: number): boolean {
    if (route?.kind === 'public' && status < 400) return false;
    return this.rate === 1 || (this.rate > 0 && Math.random() < this.rate);
  }
}

/** The line that pino would write. Spreading the fields into one object took twice as long. */
const lineOf = (level: number, fields: object): string =>
  `{"level":${level},"time":"${isoTime(Date.now())}",${JSON.stringify(fields).slice(1, -1)},"msg":"request"}\n`;

// Formatting the time costs more than the rest of the line.
const isoTime = memoizePerMillisecond((ms) => new Date(ms).toISOString());

function fieldsOf(ctx: RequestContext, status: number, latencyMs: number) {
  const { route } = ctx;
  const upstreamLatencyMs = ctx.upstream.recordedLatencyMs;
  return {
    request_id: ctx.requestId,
    trace_id: ctx.trace?.traceId,
    method: ctx.method,
    endpoint: route?.kind === 'gateway' ? route.endpoint : route?.kind,
    status,
    code: ctx.response.errorCode ?? undefined,
    key_id: ctx.key?.id,
    model: ctx.model === null ? undefined : withoutKeys(ctx.model.slice(0, 200)),
    upstream: ctx.upstream.name ?? undefined,
    attempts: ctx.upstream.attempts.length > 1 ? ctx.upstream.attempts.length : undefined,
    stream: ctx.stream || undefined,
    latency_ms: latencyMs,
    upstream_latency_ms: upstreamLatencyMs === null ? undefined : Math.round(upstreamLatencyMs),
  };
}
