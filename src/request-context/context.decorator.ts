import { createParamDecorator, type ArgumentsHost } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from './request-context.js';

declare module 'fastify' {
  interface FastifyRequest {
    ctx: RequestContext;
  }
}

// Not by `switchToHttp`: it makes three functions for each look, and ten guards look.
export const requestOf = <T = FastifyRequest>(host: ArgumentsHost): T => host.getArgByIndex<T>(0);
export const replyOf = (host: ArgumentsHost): FastifyReply => host.getArgByIndex<FastifyReply>(1);

/** The context of the request that `host` is about. */
export const contextOf = (host: ArgumentsHost): RequestContext => requestOf(host).ctx;

/** Hands the request's context to a handler. */
export const Context = createParamDecorator((_data: unknown, host) => contextOf(host));

/** Hands a handler the call's body; no body at all counts as `{}` (D16). */
export const ParsedBody = createParamDecorator((_data: unknown, host) => contextOf(host).body.json ?? {});

export type Dto = new () => object;

const fields = new WeakMap<object, Dto>();

/** Hands a handler the request's context once its body has passed the rules of `dto` (stage 7). */
export const ValidRequest =
  (dto: Dto): ParameterDecorator =>
  (target, method, at) => {
    fields.set(Reflect.get(target, method!) as object, dto);
    Context()(target, method, at);
  };

/** The rules that a handler's bodies have to pass; undefined: it takes no fields. */
export const fieldsOf = (handler: object): Dto | undefined => fields.get(handler);
