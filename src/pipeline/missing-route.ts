import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Config } from '../config/config.js';
import { routeNotFound } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { declaredRoutesOf } from '../routes/declared-routes.js';
import { isEnabled } from '../routes/enabled-routes.rules.js';
import { percentDecoded } from '../routes/parameter-name.rules.js';
import { withoutCredentials } from '../telemetry/redact.js';

/** Characters of a path in a message. */
const PATH_LENGTH_MAX = 200;
const VERSION = '/v1';

interface KnownRoute {
  readonly method: string;
  readonly path: RegExp;
}

/** Explains a 404: most of them come from a base URL that lacks `/v1` or has it twice, or from another method. */
@Injectable()
export class MissingRoutes {
  private known: readonly KnownRoute[] | null = null;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly config: Config,
  ) {}

  /** `route_not_found` with a message that names method and path, and the fix if there is a likely one. */
  explain({ method, raw }: FastifyRequest): GatewayError {
    const path = (raw.url ?? '').split(/[?#]/, 1)[0]!;
    const advice = path.length > PATH_LENGTH_MAX ? '' : this.adviceOn(method, path);
    return routeNotFound(`There is no route ${method} ${shown(path)}.${advice}`);
  }

  private adviceOn(method: string, path: string): string {
    const methods = this.methodsOf(path);
    if (methods.includes(method)) return ' An ID in the path is not valid.';
    if (methods.length > 0) return ` This path accepts ${methods.join(', ')}.`;
    const tidy = path.replace(/\/{2,}/g, '/').replace(/\/$/, '');
    if (tidy !== path && this.methodsOf(tidy).length > 0) return ` Did you mean ${shown(tidy)}?`;
    const doubled = path.lastIndexOf(VERSION + VERSION + '/');
    const meant = doubled === -1 ? VERSION + path : path.slice(doubled + VERSION.length);
    if (this.methodsOf(meant).length === 0) return '';
    const problem = doubled === -1 ? 'must end with /v1' : 'must not contain /v1 twice';
    return ` Did you mean ${shown(meant)}? The base URL of an OpenAI client ${problem}${ofAnthropic(doubled)}.`;
  }

  private methodsOf(path: string): string[] {
    this.known ??= this.read();
    const methods = this.known.filter((route) => route.path.test(path)).map(({ method }) => method);
    return [...new Set(methods)];
  }

  private read(): KnownRoute[] {
    return declaredRoutesOf(this.modules)
      .filter(({ path, spec }) => path.startsWith(`${VERSION}/`) && isEnabled(spec, this.config))
      .map(({ method, path }) => ({ method, path: patternOf(path) }));
  }
}

const ofAnthropic = (doubled: number): string =>
  doubled === -1 ? '' : '; the base URL of an Anthropic client has no /v1 at all';

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\$&').replace(/:\w+/g, '[^/]+').replace(/\*$/, '.+')}$`);

/** The client's own text: printable, bounded and without a credential, percent-encoded or not. */
function shown(path: string): string {
  const decoded = percentDecoded(path);
  const text = withoutCredentials(decoded) === decoded ? path : withoutCredentials(decoded);
  const printable = text.replace(/[^\x21-\x7e]/g, '?');
  return printable.length > PATH_LENGTH_MAX ? `${printable.slice(0, PATH_LENGTH_MAX)}…` : printable;
}
