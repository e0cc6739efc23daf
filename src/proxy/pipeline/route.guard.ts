import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/config.js';
import { routeNotFound } from '../../platform/errors/error-factories.js';
import { requestOf } from '../../platform/request-context/context.decorator.js';
import { declaredRoutesOf } from '../../platform/routes/declared-routes.js';
import { isEnabled } from '../../platform/routes/route-spec.js';
import { routeSpecOf, type AdminRouteSpec } from '../../platform/routes/route-spec.js';
import { isPathId } from '../../platform/routes/path-id.rules.js';
import { isReserved, reservedWords, type ReservedWords } from './reserved-words.rules.js';

/** Stage 1: puts the handler's declaration into the context. The check at startup rejects a handler without one. */
@Injectable()
export class RouteGuard implements CanActivate {
  private reserved: ReservedWords | null = null;

  constructor(
    private readonly config: Config,
    private readonly modules: ModulesContainer,
  ) {}

  /** @throws GatewayError `route_not_found`, also for an empty parameter (`/v1/models/`, D1) and for the IDs that D8 excludes */
  canActivate(host: ExecutionContext): boolean {
    const { ctx, params, raw } = requestOf<FastifyRequest<{ Params: Params }>>(host);
    const target = raw.url ?? '';
    const route = routeSpecOf(host.getHandler());
    if (!isPlainTarget(target) || (route?.kind === 'gateway' && !target.startsWith(PREFIX))) throw routeNotFound();
    if (!isEnabled(route, this.config)) throw routeNotFound();
    if (route?.kind !== 'public' && hasEmptyParam(params)) throw routeNotFound();
    if (route?.kind === 'gateway' && !this.areIds(params, route.endpoint)) throw routeNotFound();
    if (route?.kind === 'admin' && !hasRequiredEnd(route, params['*'])) throw routeNotFound();
    ctx.route = route ?? null;
    return route !== undefined;
  }

  private areIds(params: Params, endpoint: string): boolean {
    let at = 0;
    for (const name in params) {
      if (name === '*') continue;
      const value = params[name]!;
      if (!isPathId(value) || isReserved(value, this.reservedWordsOf(endpoint)[at])) return false;
      at++;
    }
    return true;
  }

  /** Includes routes that are not enabled, because the provider has them too. */
  private reservedWordsOf(endpoint: string): readonly ReadonlySet<string>[] {
    this.reserved ??= reservedWords(
      declaredRoutesOf(this.modules).flatMap(({ spec }) => (spec?.kind === 'gateway' ? [spec.endpoint] : [])),
    );
    return this.reserved.get(endpoint) ?? [];
  }
}

/** Compared literally, because the rest of the target goes upstream. The router also accepts `/%761/…`. */
const PREFIX = '/v1/';

/** `originForm` has already removed the authority of an absolute form. */
const isPlainTarget = (target: string): boolean => target.startsWith('/') && !target.includes('#');

/** Percent-decoded path parameters by name. `*` is the match of a wildcard. */
type Params = Readonly<Record<string, string>>;

function hasRequiredEnd({ pathEnd }: AdminRouteSpec, rest = ''): boolean {
  return pathEnd === undefined || (rest.length > pathEnd.length && rest.endsWith(pathEnd));
}

function hasEmptyParam(params: Params): boolean {
  for (const name in params) if (params[name] === '') return true;
  return false;
}
