import 'reflect-metadata';
import type { ErrorCode } from '../errors/error-code.data.js';

/** How token usage is found in the answers of a route: a name in `proxy/usage/`. */
export type UsageReaderName = 'chat' | 'completions' | 'messages' | 'responses' | 'embeddings' | 'media';

/**
 * What is done with a body at stage 4: `json` is held and parsed; `multipart` is held and read for its fields; `opaque` is
 * held and not looked at; `upload` is not read there at all: the forwarder streams it.
 */
export type BodyKind = 'none' | 'json' | 'multipart' | 'opaque' | 'upload';

/** What a handler under /v1 declares; read by every stage of the pipeline. */
export interface GatewayRouteSpec {
  readonly kind: 'gateway';
  /** The route's template with the method left out, as statistics and the registry name it: `/v1/chat/completions`. */
  readonly endpoint: string;
  readonly body: BodyKind;
  /** Bytes; 413 beyond (D7). */
  readonly bodyBytesMax: number;
  /**
   * `gated`: the body's `model` goes through the model gate (stage 5). `defaulted`: likewise; left out, the provider takes one
   * of its own, so a key with a list of models has to name it (D9, D29).
   */
  readonly model: 'gated' | 'defaulted' | 'none';
  /** `exempt`: neither instance cap nor quota (stages 2 and 6): /v1/usage. */
  readonly quota: 'counted' | 'exempt';
  readonly usage: UsageReaderName | null;
  /** `messages`: the account may keep its messages endpoint elsewhere, with a credential of its own. */
  readonly upstream: 'default' | 'messages';
  /** Errors of rules that belong to this route only, for the API description: what the rest of this declares tells of the others. */
  readonly codes?: readonly ErrorCode[];
  /** Words that at the place of an id name routes of the provider's own, which are none here: 404 (D8). */
  readonly notIds?: readonly string[];
}

/** A handler under /admin. */
export interface AdminRouteSpec {
  readonly kind: 'admin';
  /** The least role that may call it (D33): a viewer reads, an admin changes, an owner manages operators. */
  readonly role: 'viewer' | 'admin' | 'owner';
  /** What a wildcard path has to end with, after at least one character: `/probe`. Another path is no route. */
  readonly pathEnd?: string;
}

/** A handler under /dashboard: signing in, and what an operator does with the session. It reads the session cookie only. */
export interface DashboardRouteSpec {
  readonly kind: 'dashboard';
  /** `none`: signing in, which has no session yet; `required`: 401 without a live one. */
  readonly session: 'none' | 'required';
}

/** A handler that needs no credential: health, the API description. */
interface PublicRouteSpec {
  readonly kind: 'public';
}

export type RouteSpec = GatewayRouteSpec | AdminRouteSpec | DashboardRouteSpec | PublicRouteSpec;

// By handler and not by Reflector: one Map look-up a request where Nest's own way walks metadata for each guard.
const specs = new WeakMap<object, RouteSpec>();

export function declareRoute(handler: object, spec: RouteSpec): void {
  specs.set(handler, spec);
}

/** What `handler` declares; undefined for one that declares nothing, which the start refuses. */
export function routeSpecOf(handler: object): RouteSpec | undefined {
  return specs.get(handler);
}
