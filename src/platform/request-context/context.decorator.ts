import {
  createParamDecorator,
  type ArgumentsHost,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
  Query,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiBody } from '@nestjs/swagger';
import type { RequestContext } from './request-context.js';
import { unsupportedParameter, validationError } from '../errors/error-factories.js';
import { metadataOf, readRules } from '../validation/input-metadata.js';
import { InputPipe } from '../validation/input.pipe.js';
import { acceptInput } from '../validation/nested-input.js';

/**
 * Passes the body to a handler as a valid instance of `Dto`, and adds it to the API description.
 * @param example replaces the fields' examples in /docs. A PATCH example with every field would overwrite everything
 */
export const ValidBody = <T extends object>(Dto: new () => T, example?: Partial<T>): ParameterDecorator =>
  bodyOf(Dto, example, new InputPipe(Dto, { source: 'body' }));

/** Like `ValidBody`, for bodies whose errors name the path of a nested value. Unknown fields are reported first. */
export const ValidNestedBody = <T extends object>(Dto: new () => T): ParameterDecorator =>
  bodyOf(Dto, undefined, { transform: (body: unknown) => acceptInput(Dto, body)() });

/** Passes the body to a handler as it is. The service reads it with `acceptInput`, because its rules need stored values. */
export const UncheckedBody = <T extends object>(Dto: new () => T, example?: Partial<T>): ParameterDecorator =>
  bodyOf(Dto, example);

const bodyOf =
  (Dto: new () => object, example: object | undefined, ...pipes: PipeTransform[]): ParameterDecorator =>
  (target, method, index) => {
    ParsedBody(...pipes)(target, method, index);
    declareInput('body', target, method);
    if (method === undefined) return;
    const required = metadataOf(Dto).some(({ propertyName }) => readRules(Dto, propertyName).required);
    const examples = example === undefined ? undefined : { change: { value: example } };
    ApiBody({ type: Dto, required, examples })(target, method, Object.getOwnPropertyDescriptor(target, method)!);
  };

export const ValidQuery =
  (Dto: new () => object): ParameterDecorator =>
  (target, method, index) => {
    Query(new InputPipe(Dto, { source: 'query' }))(target, method, index);
    declareInput('query', target, method);
  };

declare module 'fastify' {
  interface FastifyRequest {
    ctx: RequestContext;
  }
}

// `switchToHttp` would create three functions per use, and ten guards use it.
export const requestOf = <T = FastifyRequest>(host: ArgumentsHost): T => host.getArgByIndex<T>(0);
export const replyOf = (host: ArgumentsHost): FastifyReply => host.getArgByIndex<FastifyReply>(1);

export const contextOf = (host: ArgumentsHost): RequestContext => requestOf(host).ctx;

export const Context = createParamDecorator((_data: unknown, host) => contextOf(host));

/** Passes the parsed body to a handler. An absent body counts as `{}` (D16). */
export const ParsedBody = createParamDecorator((_data: unknown, host) => contextOf(host).body.json ?? {});

export type Dto = new () => object;

const fields = new WeakMap<object, Dto>();

/** Passes the request's context to a handler, and makes stage 7 validate the body by the rules of `dto`. */
export const ValidRequest =
  (dto: Dto): ParameterDecorator =>
  (target, method, at) => {
    fields.set(Reflect.get(target, method!) as object, dto);
    Context()(target, method, at);
  };

export const fieldsOf = (handler: object): Dto | undefined => fields.get(handler);

type Input = 'query' | 'body';

const declared = { query: new WeakSet<object>(), body: new WeakSet<object>() };

function declareInput(part: Input, target: object, method: string | symbol | undefined): void {
  if (method !== undefined) declared[part].add(Reflect.get(target, method) as object);
}

/** Rejects query parameters if the handler declares no query, and body fields if it declares no body (D16, D19). */
@Injectable()
export class NoInputGuard implements CanActivate {
  canActivate(host: ExecutionContext): true {
    const { query, ctx } = requestOf(host);
    const handler = host.getHandler();
    rejectAny(declared.query.has(handler) ? null : (query as object));
    rejectAny(declared.body.has(handler) ? null : ctx.body.json);
    return true;
  }
}

function rejectAny(input: object | null): void {
  const name = input === null ? undefined : Object.keys(input)[0];
  if (name !== undefined) throw validationError(name, unsupportedParameter(name).message);
}
