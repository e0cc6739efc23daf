import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/config.js';
import { routeNotFound } from '../../platform/errors/error-factories.js';
import type { GatewayError } from '../../platform/errors/gateway-error.js';
import { declaredRoutesOf } from '../../platform/routes/declared-routes.js';
import { isEnabled } from '../../platform/routes/enabled-routes.rules.js';
import { percentDecoded } from '../../platform/routes/parameter-name.rules.js';
import { withoutCredentials } from '../../platform/telemetry/redact.js';

const PATH_LENGTH_MAX = 200;
const VERSION_PREFIX = '/v1';

interface KnownRoute {
  readonly method: string;
  readonly path: RegExp;
}

/** Explains a 404. Most are caused by a wrong method, or by a base URL that lacks `/v1` or contains it twice. */
@Injectable()
export class MissingRoutes {
  private known: readonly KnownRoute[] | null = null;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly config: Config,
  ) {}

  explain({ method, raw }: FastifyRequest): GatewayError {
    const path = (raw.url ?? '').split(/[?#]/, 1)[0]!;
    const advice = path.length > PATH_LENGTH_MAX ? '' : this.adviceOn(method, path);
    return routeNotFound(`The route ${method} ${shown(path)} does not exist.${advice}`);
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
    this.known ??= this.read();
    const methods = this.known.filter((route) => route.path.test(path)).map(({ method }) => method);
    return [...new Set(methods)];
  }

  private read(): KnownRoute[] {
    return declaredRoutesOf(this.modules)
      .filter(({ path, spec }) => path.startsWith(`${VERSION_PREFIX}/`) && isEnabled(spec, this.config))
      .map(({ method, path }) => ({ method, path: patternOf(path) }));
  }
}

const anthropicAdvice = (doubled: number): string =>
  doubled === -1 ? '' : ', and the base URL of an Anthropic client must not contain /v1';

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\$&').replace(/:\w+/g, '[^/]+').replace(/\*$/, '.+')}$`);

/** Makes the client's path printable, shortens it, and removes credentials, including percent-encoded ones. */
function shown(path: string): string {
  const decoded = percentDecoded(path);
  const text = withoutCredentials(decoded) === decoded ? path : withoutCredentials(decoded);
  const printable = text.replace(/[^\x21-\x7e]/g, '?');
  return printable.length > PATH_LENGTH_MAX ? `${printable.slice(0, PATH_LENGTH_MAX)}…` : printable;
}
