import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { contextOf } from '../request-context/context.decorator.js';
import type { RequestContext } from '../request-context/request-context.js';
import { Config } from '../config/config.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { responseHeaders } from './response-headers.js';

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

  /** Replaces `intercept` without Nest's Observables (see `synchronous-interceptor.ts`). */
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
