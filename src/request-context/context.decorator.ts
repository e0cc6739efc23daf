import {
  createParamDecorator,
  type ArgumentsHost,
  type CanActivate,
  type ExecutionContext,
  Injectable,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from './request-context.js';
import { unsupportedParameter, validationError } from '../errors/catalogue.js';

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

type Input = 'query' | 'body';

const taken = { query: new WeakSet<object>(), body: new WeakSet<object>() };

/** Notes that a handler reads this part of the call itself, by the rules of a class. */
export function declareInput(part: Input, target: object, method: string | symbol | undefined): void {
  if (method !== undefined) taken[part].add(Reflect.get(target, method) as object);
}

/** Refuses every query parameter on a handler that takes no query, every field on one that takes no body (D16, D19). */
@Injectable()
export class NoInputGuard implements CanActivate {
  canActivate(host: ExecutionContext): true {
    const { query, ctx } = requestOf(host);
    const handler = host.getHandler();
    refuseAny(taken.query.has(handler) ? null : (query as object));
    refuseAny(taken.body.has(handler) ? null : ctx.body.json);
    return true;
  }
}

function refuseAny(input: object | null): void {
  const name = input === null ? undefined : Object.keys(input)[0];
  if (name !== undefined) throw validationError(name, unsupportedParameter(name).message);
}
