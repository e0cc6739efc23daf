import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { unsupportedParameter, validationError } from '../errors/catalogue.js';
import { requestOf } from './context.decorator.js';

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
