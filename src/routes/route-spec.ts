import 'reflect-metadata';
import type { ErrorCode } from '../errors/error-code.data.js';

/** How token usage is found in the answers of a route: a name in `proxy/metering/`. */
export type UsageReaderName = 'chat' | 'completions' | 'messages' | 'responses' | 'embeddings' | 'media';

/**
 * How stage 4 handles a body.
 * - `json`: The gateway holds and parses it.
 * - `multipart`: The gateway holds it and reads its fields.
 * - `either`: It is one of these two, by its content type.
 * - `opaque`: The gateway holds it and does not read it.
 * - `upload`: It is a form that the forwarder streams.
 * - `streamed`: The forwarder streams it, whatever its type.
 */
export type BodyKind = 'none' | 'json' | 'multipart' | 'either' | 'opaque' | 'upload' | 'streamed';

/** Whether the forwarder streams such a body, so that no stage reads it. */
export const isStreamed = (body: BodyKind | undefined): boolean => body === 'upload' || body === 'streamed';

/** `all`: `GW_ROUTES=all` enables the route. The others need an entry in `GW_UNBILLED_ROUTES` too. */
export type RouteSwitch = 'all' | 'batches' | 'fine_tuning';

/** What a handler under /v1 declares; read by every stage of the pipeline. */
export interface GatewayRouteSpec {
  readonly kind: 'gateway';
  /** The route's template with the method left out, as statistics and the registry name it: `/v1/chat/completions`. */
  readonly endpoint: string;
  readonly body: BodyKind;
  /** Bytes; 413 beyond (D7). */
  readonly bodyBytesMax: number;
  /**
   * Except for `none`, the models that the body names go through the model gate (stage 5).
   * - `gated`: The body must name one.
   * - `defaulted`: The provider would choose one, so a key with allowed models must name one (D9, D29).
   * - `if-any`: The route itself runs no model.
   */
  readonly model: 'gated' | 'defaulted' | 'if-any' | 'none';
  /** The object in the body whose `model` the route runs: `session`. Default: the body itself. */
  readonly modelIn?: string;
  /** The endpoint whose models fit this route. Null: every model fits. Default: `endpoint`. */
  readonly judgedAs?: string | null;
  /** `exempt`: neither instance cap nor quota (stages 2 and 6): /v1/usage. */
  readonly quota: 'counted' | 'exempt';
  readonly usage: UsageReaderName | null;
  /** The usage reader under `GW_ROUTES=all`. Default: `usage`. */
  readonly usageOfAll?: UsageReaderName;
  /** `messages`: the account may keep its messages endpoint elsewhere, with a credential of its own. */
  readonly upstream: 'default' | 'messages';
  /** Both vendors serve this path. Under `GW_PROFILE=current` requests with `anthropic-version` go to the messages upstream. */
  readonly sharedPath?: true;
  /** The setting that enables the route. Default: the route is always enabled. */
  readonly enabledBy?: RouteSwitch;
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

export const BODY_BYTES_MAX = 10 * 1024 * 1024;

type Given = Pick<GatewayRouteSpec, 'endpoint'> & Partial<Omit<GatewayRouteSpec, 'kind' | 'endpoint'>>;

/** Puts a handler behind the stages of D1. What is left out: no body, 10 MiB, no model, counted, no usage, the usual upstream. */
export const GatewayRoute =
  (given: Given): MethodDecorator =>
  (_target, _name, descriptor) =>
    declareRoute(descriptor.value as object, {
      kind: 'gateway',
      body: 'none',
      bodyBytesMax: BODY_BYTES_MAX,
      model: 'none',
      quota: 'counted',
      usage: null,
      upstream: 'default',
      ...given,
    });

/** Puts a handler behind the admin guard. */
export const AdminRoute =
  (given: Omit<AdminRouteSpec, 'kind'>): MethodDecorator =>
  (_target, _name, descriptor) =>
    declareRoute(descriptor.value as object, { kind: 'admin', ...given });

/** Puts a handler behind the dashboard guard. */
export const DashboardRoute =
  (given: Omit<DashboardRouteSpec, 'kind'>): MethodDecorator =>
  (_target, _name, descriptor) =>
    declareRoute(descriptor.value as object, { kind: 'dashboard', ...given });

/** Leaves a handler open to everybody. The route table test holds the list of these. */
export const Public = (): MethodDecorator => (_target, _name, descriptor) =>
  declareRoute(descriptor.value as object, { kind: 'public' });
