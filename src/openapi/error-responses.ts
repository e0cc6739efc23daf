import { ERROR_CODES, type ErrorCode } from '../errors/error-code.data.js';
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

const EVERYWHERE: readonly ErrorCode[] = ['bad_request', 'request_timeout', 'headers_too_large', 'internal_error'];
const FIELDS: readonly ErrorCode[] = ['missing_required_parameter', 'invalid_type', 'invalid_value'];

const BY_BODY: Readonly<Record<BodyKind, readonly ErrorCode[]>> = {
  none: [],
  json: ['invalid_content_type', 'invalid_json', 'request_too_large', ...FIELDS],
  multipart: ['invalid_content_type', 'request_too_large', ...FIELDS],
  either: ['invalid_content_type', 'invalid_json', 'request_too_large', ...FIELDS],
  opaque: ['request_too_large'],
  upload: ['invalid_content_type', 'request_too_large'],
  streamed: ['request_too_large'],
};

/** Returns the errors of an operation, in ascending order of status. @param path as in the OpenAPI document */
export function errorResponsesOf(spec: RouteSpec, method: string, path: string): ErrorResponse[] {
  const possible = new Set([...EVERYWHERE, ...codesOf(spec, method, path)]);
  const codes = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => possible.has(code));
  const byStatus = Map.groupBy(codes, (code) => ERROR_CODES[code].status);
  return [...byStatus].map(([status, codes]) => ({ status, codes })).sort((a, b) => a.status - b.status);
}

function codesOf(spec: RouteSpec, method: string, path: string): readonly ErrorCode[] {
  switch (spec.kind) {
    case 'gateway':
      return gatewayCodes(spec, path);
    case 'admin':
      return adminCodes(spec, method, path);
    case 'dashboard':
      return dashboardCodes(spec, method);
    case 'public':
      return [];
    default:
      return spec satisfies never;
  }
}

const KEY: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'api_key_expired',
  'api_key_suspended',
  'api_key_revoked',
];
const MODEL_GATE: readonly ErrorCode[] = ['model_not_available', 'model_not_allowed', 'model_endpoint_mismatch'];

const gatewayCodes = ({ body, model, quota, codes = [] }: GatewayRouteSpec, path: string): ErrorCode[] => [
  ...KEY,
  ...codes,
  'service_unavailable',
  ...BY_BODY[body],
  ...(model === 'none' ? [] : MODEL_GATE),
  // A route that does not count requests, such as /v1/usage, also sends no upstream request.
  ...(quota === 'counted' ? (['capacity_exceeded', 'rate_limit_exceeded', 'upstream_error'] as const) : []),
  ...(path.includes('{') ? (['route_not_found'] as const) : []),
];

const OPERATOR: readonly ErrorCode[] = ['missing_api_key', 'rate_limit_exceeded', 'service_unavailable'];
const OPERATOR_BODY: readonly ErrorCode[] = ['invalid_json', 'invalid_type', 'request_too_large'];

const adminCodes = ({ role, pathEnd }: AdminRouteSpec, method: string, path: string): ErrorCode[] => [
  ...OPERATOR,
  'invalid_api_key',
  'validation_error',
  ...(method === 'GET' ? [] : OPERATOR_BODY),
  // Every operator can read, except data that only owners can see.
  ...(method === 'GET' && role === 'viewer' ? [] : (['forbidden'] as const)),
  ...(path.includes('{') ? (['not_found'] as const) : []),
  ...(pathEnd === undefined ? [] : (['route_not_found'] as const)),
];

const dashboardCodes = ({ session }: DashboardRouteSpec, method: string): ErrorCode[] => [
  ...OPERATOR.filter((code) => session === 'required' || code !== 'missing_api_key'),
  ...(session === 'required' ? [] : (['invalid_content_type'] as const)),
  ...(method === 'GET' ? [] : (['forbidden', ...OPERATOR_BODY] as const)),
  ...(method === 'POST' ? (['validation_error', 'invalid_credentials'] as const) : []),
];
