import { createChatCompletion } from './chat/chat-completions.route.js';
import { listModels, retrieveModel } from './models/models.route.js';
import type { SandboxRoute } from './wire/exchange.js';

/** Every route of the provider. `{name}` takes one segment of the path, `{name*}` the rest of it, slashes too. */
export const SANDBOX_ROUTES: readonly SandboxRoute[] = [
  { method: 'GET', path: '/v1/models', handle: listModels },
  { method: 'GET', path: '/v1/models/{model*}', handle: retrieveModel },
  { method: 'POST', path: '/v1/chat/completions', handle: createChatCompletion },
];

export interface FoundRoute {
  readonly route: SandboxRoute;
  /** Decoded; by the names in the route's path. */
  readonly params: Readonly<Record<string, string>>;
}

const matchers = SANDBOX_ROUTES.map((route) => ({ route, pattern: patternOf(route.path) }));

/** `path` is without its query; null where no route has this method and path. */
export function findRoute(method: string, path: string): FoundRoute | null {
  for (const { route, pattern } of matchers) {
    const match = route.method === method ? pattern.exec(path) : null;

    if (match !== null) {
      const params = decoded(match.groups ?? {});

      return params === null ? null : { route, params };
    }
  }
  return null;
}

function patternOf(path: string): RegExp {
  const source = path
    .replaceAll('.', '\\.')
    .replaceAll(
      /\{(\w+)(\*?)\}/g,
      (_whole, name: string, rest: string) => `(?<${name}>${rest === '' ? '[^/]+' : '.+'})`,
    );

  return new RegExp(`^${source}$`);
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> | null {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return null; // a bad `%`: no such URL
  }
}
