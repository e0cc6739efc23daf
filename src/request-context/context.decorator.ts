import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from './request-context.js';

declare module 'fastify' {
  interface FastifyRequest {
    ctx: RequestContext;
  }
}

/** The context of the request that `host` is about. */
export const contextOf = (host: ExecutionContext): RequestContext =>
  host.switchToHttp().getRequest<FastifyRequest>().ctx;

/** Hands the request's context to a handler. */
export const Context = createParamDecorator((_data: unknown, host: ExecutionContext) => contextOf(host));

type Dto = new () => object;

/** Hands a handler the request's context once its body has passed the rules of `dto` (stage 7, by the ValidationPipe). */
export const ValidRequest = createParamDecorator((_dto: Dto, host) => contextOf(host));
