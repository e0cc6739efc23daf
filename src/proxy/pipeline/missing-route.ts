import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/config.js';
import { routeNotFound } from '../../platform/errors/error-factories.js';
import type { GatewayError } from '../../platform/errors/gateway-error.js';
import { declaredRoutesOf } from '../../platform/routes/declared-routes.js';
import { isEnabled, settingOf } from '../../platform/routes/route-spec.js';
import type { RouteSpec } from '../../platform/routes/route-spec.js';
import { percentDecodedBytes } from '../../platform/routes/parameter-name.rules.js';
import { withoutCredentials } from '../../platform/telemetry/redact.js';

const PATH_LENGTH_MAX = 200;
const VERSION_PREFIX = '/v1';

interface KnownRoute {
  readonly method: string;
  readonly path: RegExp;
  /** The setting that would enable the route. Null if it is enabled. */
  readonly disabledBy: string | null;
}

/** Swagger UI, which is not a controller. */
const DOCS: KnownRoute = { method: 'GET', path: /^\/docs\/?$/, disabledBy: 'GW_DOCS=on' };

/**
 * Explains a 404. Usual causes are a wrong method, a route that a setting must enable, and a base URL that lacks `/v1` or contains
 * it twice.
 */
@Injectable()
export class MissingRoutes {
  private known: readonly KnownRoute[] | null = null;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly config: Config,
  ) {}

  explain({ method, raw }: FastifyRequest): GatewayError {
    const path = (raw.url ?? '').split(/[?#]/, 1)[0]!;
    if (path.length > PATH_LENGTH_MAX) return routeNotFound(`The route ${method} ${shown(path)} does not exist.`);
    const disabled = this.routes.find((route) => route.disabledBy !== null && isRoute(route, method, path));
    const problem = disabled === undefined ? 'does not exist.' : `is not enabled. It needs ${disabled.disabledBy}.`;
    const advice = disabled === undefined ? this.adviceOn(method, path) : '';
    return routeNotFound(`The route ${method} ${shown(path)} ${problem}${advice}`);
  }

  private adviceOn(method: string, path: string): string {
    const methods = this.methodsOf(path);
    if (methods.includes(method)) return ' An ID in the path is not valid.';
    if (methods.length > 0) return ` This path accepts ${methods.join(', ')}.`;
    const tidy = path.replace(/\/{2,}/g, '/').replace(/\/$/, '');
    if (tidy !== path && this.methodsOf(tidy).length > 0) return ` Did you mean ${shown(tidy)}?`;
    const doubled = path.lastIndexOf(VERSION_PREFIX + VERSION_PREFIX + '/');
    const meant = doubled === -1 ? VERSION_PREFIX + path : path.slice(doubled + VERSION_PREFIX.length);
    if (this.methodsOf(meant).length === 0) return '';
    const problem = doubled === -1 ? 'must end with /v1' : 'must not contain /v1 twice';
    return ` Did you mean ${shown(meant)}? The base URL of an OpenAI client ${problem}${anthropicAdvice(doubled)}.`;
  }

  private methodsOf(path: string): string[] {
    const enabled = this.routes.filter((route) => route.disabledBy === null && route.path.test(path));
    return [...new Set(enabled.map(({ method }) => method))];
  }

  private settingFor(spec: RouteSpec | undefined): string | null {
    if (spec?.kind !== 'gateway' || spec.enabledBy === undefined || isEnabled(spec, this.config)) return null;
    return settingOf(spec.enabledBy);
  }

  private get routes(): readonly KnownRoute[] {
    this.known ??= declaredRoutesOf(this.modules)
      .filter(({ path }) => path.startsWith(`${VERSION_PREFIX}/`))
      .map(({ method, path, spec }) => ({ method, path: patternOf(path), disabledBy: this.settingFor(spec) }))
      .concat(this.config.docs ? [] : DOCS);
    return this.known;
  }
}

const isRoute = (route: KnownRoute, method: string, path: string): boolean =>
  route.method === method && route.path.test(path);

const anthropicAdvice = (doubled: number): string =>
  doubled === -1 ? '' : ', and the base URL of an Anthropic client must not contain /v1';

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\$&').replace(/:\w+/g, '[^/]+').replace(/\*$/, '.+')}$`);

/** Makes the client's path printable, shortens it, and removes credentials, including percent-encoded ones. */
function shown(path: string): string {
  const decoded = percentDecodedBytes(path);
  const text = withoutCredentials(decoded) === decoded ? path : withoutCredentials(decoded);
  const printable = text.replace(/[^\x21-\x7e]/g, '?');
  return printable.length > PATH_LENGTH_MAX ? `${printable.slice(0, PATH_LENGTH_MAX)}…` : printable;
}
