import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '../config/config.js';
import { routeNotFound } from '../errors/catalogue.js';
import { requestOf } from '../request-context/context.decorator.js';
import { isEnabled } from '../routes/enabled-routes.rules.js';
import { isPathId } from '../routes/parameter-name.rules.js';
import { routeSpecOf, type AdminRouteSpec } from '../routes/route-spec.js';

/**
 * Puts what the handler declares into the context. A handler that declares nothing is refused (Nest's 403): the start should
 * not have let it through.
 */
@Injectable()
export class RouteGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  /**
   * @throws GatewayError `route_not_found` for a disabled route, an empty parameter (`/v1/models/`, D1), an invalid ID (D8), and
   *   another path end under /admin
   */
  canActivate(host: ExecutionContext): boolean {
    const { ctx, params, raw } = requestOf<FastifyRequest<{ Params: Params }>>(host);
    const target = raw.url ?? '';
    const route = routeSpecOf(host.getHandler());
    if (!isPlainTarget(target) || (route?.kind === 'gateway' && !target.startsWith(PREFIX))) throw routeNotFound();
    if (!isEnabled(route, this.config)) throw routeNotFound();
    if (route?.kind !== 'public' && someEmpty(params)) throw routeNotFound();
    if (route?.kind === 'gateway' && !areIds(params, route.notIds)) throw routeNotFound();
    if (route?.kind === 'admin' && !endsAsItShould(route, params['*'])) throw routeNotFound();
    ctx.route = route ?? null;
    return route !== undefined;
  }
}

/** Letter by letter: what is below it is what goes upstream. The router takes `/%761/…` too. */
const PREFIX = '/v1/';

/** A path without a fragment. `originForm` has made one of an absolute form already. */
const isPlainTarget = (target: string): boolean => target.startsWith('/') && !target.includes('#');

/** By name, percent-decoded; `*` is what a wildcard has taken. */
type Params = Readonly<Record<string, string>>;

function endsAsItShould({ pathEnd }: AdminRouteSpec, rest = ''): boolean {
  return pathEnd === undefined || (rest.length > pathEnd.length && rest.endsWith(pathEnd));
}

function someEmpty(params: Params): boolean {
  for (const name in params) if (params[name] === '') return true;
  return false;
}

function areIds(params: Params, notIds: readonly string[] = []): boolean {
  for (const name in params)
    if (name !== '*' && (!isPathId(params[name]!) || notIds.includes(params[name]!))) return false;
  return true;
}
