import 'reflect-metadata';

/** The reader of usage in a route's responses. `units` reads no tokens. See `proxy/metering/`. */
export type UsageReaderName = 'chat' | 'completions' | 'messages' | 'responses' | 'embeddings' | 'media' | 'units';

/**
 * How stage 4 handles a body.
 * - `json`: buffered and parsed.
 * - `multipart`: buffered, and its fields are parsed.
 * - `either`: one of these two, depending on the content type.
 * - `opaque`: buffered and not parsed.
 * - `upload`: a form that the forwarder streams.
 * - `streamed`: any type, streamed by the forwarder.
 */
export type BodyKind = 'none' | 'json' | 'multipart' | 'either' | 'opaque' | 'upload' | 'streamed';

export const isStreamed = (body: BodyKind | undefined): boolean => body === 'upload' || body === 'streamed';

/** `all`: `GW_ROUTES=all` enables the route. The others also need an entry in `GW_UNBILLED_ROUTES`. */
export type RouteSwitch = 'all' | 'batches' | 'fine_tuning';

export interface GatewayRouteSpec {
  readonly kind: 'gateway';
  /** The path template, as in statistics and the model registry: `/v1/chat/completions`. */
  readonly endpoint: string;
  readonly body: BodyKind;
  /** A larger body is rejected with 413 (D7). */
  readonly bodyBytesMax: number;
  /**
   * Except with `none`, the model gate (stage 5) checks the models in the body.
   * - `gated`: the body must name a model.
   * - `defaulted`: the provider has a default, so a key with allowed models must name one (D9, D29).
   * - `unnamed`: the provider chooses the model and ignores one in the body, so a key with allowed models cannot use the route.
   * - `if-any`: the route itself runs no model.
   */
  readonly model: 'gated' | 'defaulted' | 'unnamed' | 'if-any' | 'none';
  /** The object in the body that contains `model`: `session`. Default: the body itself. */
  readonly modelIn?: string;
  /** The list of requests in the body, each with its own body in `params`. A key with allowed models must name a model in each. */
  readonly requestsIn?: string;
  /**
   * The path of a stored object whose models the route runs, whatever the body names. Its IDs are parameters of the route. The
   * gateway reads the object from the provider, and checks these models too.
   */
  readonly runsModelsOf?: string;
  /** The same for an object whose model is the default. Its ID is a field of the body. */
  readonly defaultModelOf?: string;
  /** The endpoint that decides which models fit this route. Null if every model fits. Default: `endpoint`. */
  readonly judgedAs?: string | null;
  /** `exempt`: stages 2 and 6 do not count the request (/v1/usage). */
  readonly quota: 'counted' | 'exempt';
  readonly usage: UsageReaderName | null;
  /**
   * The reader of usage that belongs to an earlier request: the one that created the object of the last path parameter. It replaces
   * `usage`.
   */
  readonly laterUsage?: UsageReaderName;
  /** Replaces `usage` under `GW_ROUTES=all`. */
  readonly usageOfAll?: UsageReaderName;
  /** The format of request and response, which decides which upstreams can serve the route. */
  readonly api: 'openai' | 'anthropic';
  /** Both vendors serve this path. With `GW_PROFILE=current`, `anthropic-version` selects Anthropic's API. */
  readonly sharedPath?: true;
  readonly enabledBy?: RouteSwitch;
}

export interface AdminRouteSpec {
  readonly kind: 'admin';
  /** The lowest role with access (D33): a viewer reads, an admin changes, an owner manages operators. */
  readonly role: 'viewer' | 'admin' | 'owner';
  /** The required end of a wildcard path, after at least one character: `/probe`. Other paths return 404. */
  readonly pathEnd?: string;
}

/** A handler for sign-in and the operator's own session. It accepts the session cookie only. */
export interface DashboardRouteSpec {
  readonly kind: 'dashboard';
  /** `none`: sign-in, which has no session yet. `required`: 401 without a valid session. */
  readonly session: 'none' | 'required';
}

interface PublicRouteSpec {
  readonly kind: 'public';
}

export type RouteSpec = GatewayRouteSpec | AdminRouteSpec | DashboardRouteSpec | PublicRouteSpec;

// One map lookup per request. Nest's Reflector would read metadata in each guard.
const specs = new WeakMap<object, RouteSpec>();

export function declareRoute(handler: object, spec: RouteSpec): void {
  specs.set(handler, spec);
}

export function routeSpecOf(handler: object): RouteSpec | undefined {
  return specs.get(handler);
}

export const BODY_BYTES_MAX = 10 * 1024 * 1024;

type Given = Pick<GatewayRouteSpec, 'endpoint'> & Partial<Omit<GatewayRouteSpec, 'kind' | 'endpoint'>>;

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
      api: 'openai',
      ...given,
    });

export const AdminRoute =
  (given: Omit<AdminRouteSpec, 'kind'>): MethodDecorator =>
  (_target, _name, descriptor) =>
    declareRoute(descriptor.value as object, { kind: 'admin', ...given });

export const DashboardRoute =
  (given: Omit<DashboardRouteSpec, 'kind'>): MethodDecorator =>
  (_target, _name, descriptor) =>
    declareRoute(descriptor.value as object, { kind: 'dashboard', ...given });

/** Declares a handler that anyone can call. The route table test lists these handlers. */
export const Public = (): MethodDecorator => (_target, _name, descriptor) =>
  declareRoute(descriptor.value as object, { kind: 'public' });

interface RouteSettings {
  readonly routes: 'specified' | 'all';
  readonly unbilledRoutes: readonly Exclude<RouteSwitch, 'all'>[] | null;
}

/** A disabled route is rejected like an unknown one. */
export function isEnabled(spec: RouteSpec | undefined, { routes, unbilledRoutes }: RouteSettings): boolean {
  if (spec?.kind !== 'gateway' || spec.enabledBy === undefined) return true;
  if (routes !== 'all') return false;
  return spec.enabledBy === 'all' || unbilledRoutes?.includes(spec.enabledBy) === true;
}

/** The setting that enables the routes of a switch, for messages. */
export const settingOf = (enabledBy: RouteSwitch): string =>
  enabledBy === 'all' ? 'GW_ROUTES=all' : `GW_ROUTES=all and ${enabledBy} in GW_UNBILLED_ROUTES`;
