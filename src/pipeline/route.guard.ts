import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { routeNotFound } from '../errors/catalogue.js';
import { routeSpecOf } from '../routes/route-spec.js';

/** Puts what the handler declares into the context. A handler that declares nothing is refused (Nest's 403): the start should not have let it through. */
@Injectable()
export class RouteGuard implements CanActivate {
  /** @throws GatewayError `route_not_found` where the router's wildcard has taken an empty rest: `/v1/models/` (D1) */
  canActivate(host: ExecutionContext): boolean {
    const { ctx, params } = host.switchToHttp().getRequest<FastifyRequest<{ Params: { '*'?: string } }>>();
    if (params['*'] === '') throw routeNotFound();
    const route = routeSpecOf(host.getHandler());
    ctx.route = route ?? null;
    return route !== undefined;
  }
}
