import 'reflect-metadata';

/** How token usage is found in the answers of a route: a name in `proxy/usage/`. */
export type UsageReaderName = 'chat';

/** What a handler under /v1 declares; read by every stage of the pipeline. */
export interface GatewayRouteSpec {
  readonly kind: 'gateway';
  /** The route's template with the method left out, as statistics and the registry name it: `/v1/chat/completions`. */
  readonly endpoint: string;
  readonly body: 'none' | 'json';
  /** Bytes; 413 beyond (D7). */
  readonly bodyBytesMax: number;
  /** `gated`: the body's `model` goes through the model gate (stage 5). */
  readonly model: 'gated' | 'none';
  /** `exempt`: neither instance cap nor quota (stages 2 and 6): /v1/usage. */
  readonly quota: 'counted' | 'exempt';
  readonly usage: UsageReaderName | null;
}

/** A handler under /admin. */
export interface AdminRouteSpec {
  readonly kind: 'admin';
  /** The least role that may call it (D33): a viewer reads, an admin changes, an owner manages operators. */
  readonly role: 'viewer' | 'admin' | 'owner';
}

/** A handler that needs no credential: health, the API description. */
export interface PublicRouteSpec {
  readonly kind: 'public';
}

export type RouteSpec = GatewayRouteSpec | AdminRouteSpec | PublicRouteSpec;

// By handler and not by Reflector: one Map look-up a request where Nest's own way walks metadata for each guard.
const specs = new WeakMap<object, RouteSpec>();

export function declareRoute(handler: object, spec: RouteSpec): void {
  specs.set(handler, spec);
}

/** What `handler` declares; undefined for one that declares nothing, which the start refuses. */
export function routeSpecOf(handler: object): RouteSpec | undefined {
  return specs.get(handler);
}
