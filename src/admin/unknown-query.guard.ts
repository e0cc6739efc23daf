import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { validationError } from '../errors/catalogue.js';

const withQuery = new WeakSet<object>();

/** Notes that a handler reads the query itself. */
export function declareQuery(target: object, method: string | symbol | undefined): void {
  if (method !== undefined) withQuery.add(Reflect.get(target, method) as object);
}

/** Refuses every query parameter on a handler that takes none (D16). */
@Injectable()
export class UnknownQueryGuard implements CanActivate {
  canActivate(host: ExecutionContext): true {
    if (withQuery.has(host.getHandler())) return true;
    const query = host.switchToHttp().getRequest<FastifyRequest<{ Querystring: object }>>().query;
    const param = Object.keys(query)[0];
    if (param !== undefined) throw validationError(param, `Unsupported parameter: '${param}' is not supported here.`);
    return true;
  }
}
