import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { contextOf } from '../request-context/context.decorator.js';
import type { RequestContext } from '../request-context/request-context.js';
import { ResponseHead } from './response-head.js';

/** Leaves the writer of the gateway's own headers in the context: whoever writes the answer's head calls it. */
@Injectable()
export class ResponseHeadersInterceptor implements NestInterceptor {
  constructor(private readonly head: ResponseHead) {}

  /** The whole of it, without the Observables that Nest builds around an interceptor (see `synchronous-interceptor.ts`). */
  prepare(request: FastifyRequest): void {
    this.leave(request.ctx);
  }

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.leave(contextOf(host));
    return next.handle();
  }

  private leave(ctx: RequestContext): void {
    const ownHeaders = () => this.head.headers(ctx, 200);
    ctx.ownHeaders = ownHeaders;
  }
}
