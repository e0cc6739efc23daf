import type { Config } from '../config/config.js';
import { ANTHROPIC_TYPES, ERROR_CODES, type ErrorCode, type RouteGroup } from '../errors/error-code.data.js';
import type {
  AdminRouteSpec,
  BodyKind,
  DashboardRouteSpec,
  GatewayRouteSpec,
  RouteSpec,
} from '../routes/route-spec.js';

interface ErrorResponse {
  readonly status: number;
  readonly codes: readonly ErrorCode[];
}

/** Returns the errors of an operation, in ascending order of status. @param path as in the OpenAPI document */
export function errorResponsesOf(spec: RouteSpec, method: string, path: string): ErrorResponse[] {
  const sources = new Set<string>(['all', `${method} ${path}`, ...groupsOf(spec, method, path)]);
  const codes = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) =>
    ERROR_CODES[code].returnedBy.some((source) => sources.has(source)),
  );
  const byStatus = Map.groupBy(codes, (code) => ERROR_CODES[code].status);
  return [...byStatus].map(([status, codes]) => ({ status, codes })).sort((a, b) => a.status - b.status);
}

function groupsOf(spec: RouteSpec, method: string, path: string): readonly RouteGroup[] {
  switch (spec.kind) {
    case 'gateway':
      return gatewayGroups(spec, path);
    case 'admin':
      return adminGroups(spec, method, path);
    case 'dashboard':
      return dashboardGroups(spec, method);
    case 'public':
      return [];
    default:
      return spec satisfies never;
  }
}

const BY_BODY: Readonly<Record<BodyKind, readonly RouteGroup[]>> = {
  none: [],
  json: ['v1-body', 'v1-content-type', 'v1-json', 'v1-fields'],
  multipart: ['v1-body', 'v1-content-type', 'v1-fields'],
  either: ['v1-body', 'v1-content-type', 'v1-json', 'v1-fields'],
  opaque: ['v1-body'],
  upload: ['v1-body', 'v1-content-type'],
  streamed: ['v1-body'],
};

const gatewayGroups = ({ body, model, quota }: GatewayRouteSpec, path: string): RouteGroup[] => [
  'v1',
  ...BY_BODY[body],
  ...when('v1-model', model !== 'none'),
  // A route that does not count requests, such as /v1/usage, also sends no upstream request.
  ...when('v1-counted', quota === 'counted'),
  ...when('v1-id', path.includes('{')),
];

const adminGroups = ({ role, pathEnd }: AdminRouteSpec, method: string, path: string): RouteGroup[] => [
  'operator' as const,
  'operator-session' as const,
  'admin' as const,
  ...when('operator-body', method !== 'GET'),
  // Every operator can read, except data that only owners can see.
  ...when('operator-role', method !== 'GET' || role !== 'viewer'),
  ...when('admin-id', path.includes('{')),
  ...when('admin-subroute', pathEnd !== undefined),
];

const dashboardGroups = ({ session }: DashboardRouteSpec, method: string): RouteGroup[] => [
  'operator',
  session === 'required' ? 'operator-session' : 'sign-in',
  ...when('operator-body', method !== 'GET'),
  ...when('operator-role', method !== 'GET'),
  ...when('password', method === 'POST'),
];

const when = (group: RouteGroup, applies: boolean): RouteGroup[] => (applies ? [group] : []);

/** Returns the schemas of error bodies by name. */
export const errorSchemas = ({ profile, upstreamErrors }: Pick<Config, 'profile' | 'upstreamErrors'>) => ({
  ErrorEnvelope: errorEnvelope(
    profile === 'current' ? [...ERROR_TYPES, ...Object.values(ANTHROPIC_TYPES)] : ERROR_TYPES,
  ),
  ...(upstreamErrors === 'relay' && { RelayedError: RELAYED_ERROR }),
});

const ERROR_TYPES = Object.values(ERROR_CODES).map(({ type }) => type);

const errorEnvelope = (types: readonly string[]) => ({
  type: 'object',
  required: ['error'],
  properties: {
    type: { type: 'string', enum: ['error'], description: 'Only under `/v1/messages`.' },
    error: {
      type: 'object',
      required: ['message', 'type', 'code', 'param', 'request_id'],
      properties: {
        message: { type: 'string' },
        type: { type: 'string', enum: [...new Set(types)] },
        code: { type: 'string', enum: Object.keys(ERROR_CODES) },
        param: { type: ['string', 'null'], description: 'The invalid field.' },
        details: {
          type: 'array',
          description: 'Every invalid field of a request to the Admin API, if there are several.',
          items: {
            type: 'object',
            required: ['param', 'message'],
            properties: { param: { type: 'string' }, message: { type: 'string' } },
          },
        },
        request_id: { type: 'string', description: 'The value of `X-Request-Id`.' },
      },
    },
  },
});

/** OpenAI's and Anthropic's errors both have an object `error`. Other providers send other bodies. */
const RELAYED_ERROR = {
  type: 'object',
  description: "The provider's error body, unchanged except for credentials, which are removed.",
  properties: { error: {} },
};
