import type { OpenAPIObject } from '@nestjs/swagger';
import type { Config } from '../config/config.js';
import { RELAYED_STATUSES } from '../errors/error-code.data.js';
import type { DeclaredRoute } from '../routes/declared-routes.js';
import type { GatewayRouteSpec, RouteSpec } from '../routes/route-spec.js';
import { RESPONSE_HEADERS, headersOf } from './response-headers.data.js';
import { errorResponsesOf, errorSchemas } from './error-responses.js';
import { TAGS } from './tags.data.js';
import { finishBody } from './request-bodies.js';

type Paths = OpenAPIObject['paths'];
type Operation = NonNullable<Paths[string]['get']>;
type ResponseObject = { description?: string; headers?: object; content?: object };

/** Nest's wildcard `{path}` is a model ID here, which can contain slashes (D8). */
const WILDCARDS: Readonly<Record<string, string>> = {
  '/v1/models/{path}': '/v1/models/{model}',
  '/admin/model-allowlist/{path}': '/admin/model-allowlist/{model}',
  '/admin/models/{path}': '/admin/models/{model}/probe',
};

const MODEL_PARAMETER = {
  name: 'model',
  in: 'path' as const,
  required: true,
  description: 'Model ID. Slashes can be plain or percent-encoded.',
  schema: { type: 'string', minLength: 1 },
  example: 'gpt-4o-mini',
};

const ONE_OF_REQUIRED: Readonly<Record<string, readonly string[]>> = { ImageEditRequest: ['image', 'image[]'] };

/** Requests that make changes need this header with a session cookie, but not with the admin key (D19). */
const CSRF_PARAMETER = {
  name: 'X-CSRF-Token',
  in: 'header' as const,
  description: 'The `csrf_token` of the session. Required with the session cookie.',
  schema: { type: 'string' },
};

type DescribedSettings = Pick<Config, 'profile' | 'upstreamErrors' | 'validation'>;

/**
 * Adds what decorators cannot express: readable wildcard paths, errors, response headers, and rules for whole request bodies.
 * Changes `document` in place.
 * @param routes all enabled routes
 */
export function finishDocument(
  document: OpenAPIObject,
  routes: readonly DeclaredRoute[],
  settings: DescribedSettings,
): void {
  for (const [nestPath, documentPath] of Object.entries(WILDCARDS)) renamePath(document.paths, nestPath, documentPath);
  const schemas = (document.components ??= {}).schemas ?? {};
  const relays = settings.upstreamErrors === 'relay';
  document.components.schemas = Object.assign(schemas, errorSchemas(settings));
  document.components.headers = RESPONSE_HEADERS;
  for (const [name, fields] of Object.entries(ONE_OF_REQUIRED))
    if (schemas[name] !== undefined)
      Object.assign(schemas[name], { anyOf: fields.map((field) => ({ required: [field] })) });
  for (const route of routes) {
    const { method, path, spec } = route;
    const described = describedPath(path);
    const operation = document.paths[described]?.[method.toLowerCase() as 'get'];
    if (operation === undefined || spec === undefined) continue;
    if (spec.kind === 'admin') finishIds(operation);
    if (needsCsrfToken(spec, method)) addCsrfToken(operation, spec);
    finishBody(document, operation.requestBody, route, settings.validation);
    finishResponses(operation, spec, method, described);
    if (relays && spec.kind === 'gateway' && isForwarded(operation, spec)) addRelayedErrors(operation);
    operation.security ??= [];
  }
  const tags = Object.values(document.paths).flatMap((item) =>
    (Object.values(item) as Operation[]).flatMap((operation) => operation.tags ?? []),
  );
  document.tags = [...new Set(tags)].map((name) => ({ name, description: TAGS[name] }));
}

function describedPath(path: string): string {
  const nestPath = path.replace(/\*$/, '{path}').replace(/:(\w+)/g, '{$1}');
  return WILDCARDS[nestPath] ?? nestPath;
}

function renamePath(paths: Paths, nestPath: string, documentPath: string): void {
  const item = paths[nestPath];
  if (item === undefined) return;
  paths[documentPath] = item;
  delete paths[nestPath];
  for (const operation of Object.values(item) as Operation[]) {
    const others = (operation.parameters ?? []).filter((parameter) => !('in' in parameter) || parameter.in !== 'path');
    operation.parameters = [MODEL_PARAMETER, ...others];
  }
}

/** IDs of the gateway's own objects are UUIDs (D16), except for those of limits, which declare their schema. */
function finishIds({ parameters = [] }: Operation): void {
  for (const parameter of parameters)
    if ('name' in parameter && parameter.in === 'path' && parameter.name === 'id' && !isInteger(parameter.schema))
      parameter.schema = { type: 'string', format: 'uuid' };
}

const isInteger = (schema: object | undefined): boolean =>
  schema !== undefined && 'type' in schema && schema.type === 'integer';

const needsCsrfToken = (spec: RouteSpec, method: string): boolean =>
  method !== 'GET' && (spec.kind === 'admin' || (spec.kind === 'dashboard' && spec.session === 'required'));

function addCsrfToken(operation: Operation, { kind }: RouteSpec): void {
  operation.parameters = [...(operation.parameters ?? []), { ...CSRF_PARAMETER, required: kind === 'dashboard' }];
}

function finishResponses(operation: Operation, spec: RouteSpec, method: string, path: string): void {
  const responses = operation.responses as Record<string, ResponseObject>;
  for (const { status, codes } of errorResponsesOf(spec, method, path)) {
    const response = (responses[status] ??= {});
    response.description ||= codes.map((code) => `\`${code}\``).join(', ');
    if (method !== 'HEAD') response.content ??= errorContent();
  }
  for (const [status, response] of Object.entries(responses)) {
    response.description ||= 'Success.';
    response.headers = Object.fromEntries(
      headersOf(spec.kind, Number(status)).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    );
  }
}

/** A route with a 502 sends an upstream request. The gateway itself answers requests for models, from the catalog. */
const isForwarded = ({ responses }: Operation, { endpoint }: GatewayRouteSpec): boolean =>
  '502' in responses && !endpoint.startsWith('/v1/models');

function addRelayedErrors(operation: Operation): void {
  const responses = operation.responses as Record<string, ResponseObject>;
  for (const status of RELAYED_STATUSES) {
    const { description, headers } = responses[status] ?? { headers: responses['502']!.headers };
    const own = description === undefined ? [] : [reference('ErrorEnvelope')];
    responses[status] = {
      description: [...(description === undefined ? [] : [description]), "the provider's error"].join(', '),
      headers,
      content: { 'application/json': { schema: { anyOf: [...own, reference('RelayedError')] } } },
    };
  }
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const errorContent = () => ({ 'application/json': { schema: reference('ErrorEnvelope') } });

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** Also removes the schemas that only these routes use. Changes `document` in place. */
export function dropRoutes(document: OpenAPIObject, routes: readonly DeclaredRoute[]): void {
  for (const { method, path } of routes) {
    const described = describedPath(path);
    const item = document.paths[described];
    if (item === undefined) continue;
    delete item[method.toLowerCase() as 'get'];
    if (Object.keys(item).length === 0) delete document.paths[described];
  }
  const schemas = document.components?.schemas ?? {};
  const used = new Set<string>();
  const use = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (used.has(name!)) continue;
      used.add(name!);
      use(schemas[name!] ?? {});
    }
  };
  use(document.paths);
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name];
}
