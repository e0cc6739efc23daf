import type { OpenAPIObject } from '@nestjs/swagger';
import type { Config } from '../config/config.js';
import { ANTHROPIC_TYPES, ERROR_CODES } from '../errors/error-code.data.js';
import { RELAYED_STATUSES } from '../errors/relayed-statuses.data.js';
import type { DeclaredRoute } from '../routes/declared-routes.js';
import type { GatewayRouteSpec, RouteSpec } from '../routes/route-spec.js';
import { RESPONSE_HEADERS, headersOf } from './response-headers.data.js';
import { errorResponsesOf } from './error-responses.js';
import { TAGS } from './tags.data.js';
import { isObject } from '../validation/check.js';

type Node = Record<string, unknown>;

const isNode: (value: unknown) => value is Node = isObject;

/**
 * Allows null for every optional field at any depth, because routes under /v1 treat null as an omitted field (D30). Map values
 * and list items are not affected. Changes `schema` in place.
 */
export function allowNullForOptional(schema: unknown): void {
  if (!isNode(schema)) return;
  const required = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []);
  for (const [name, field] of Object.entries(isNode(schema.properties) ? schema.properties : {})) {
    allowNullForOptional(field);
    if (isNode(field) && !required.has(name)) allowNull(field);
  }
  for (const part of [schema.items, schema.additionalProperties, ...alternatives(schema)]) allowNullForOptional(part);
}

/** Forbids undeclared fields at any depth, because /admin rejects them (D16). Changes the referenced schemas in place. */
function forbidUnknown(document: OpenAPIObject, reference: string): void {
  const schema = document.components?.schemas?.[reference.split('/').at(-1)!];
  if (!isNode(schema)) return;
  schema.additionalProperties = false;
  for (const [, nested] of JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)) forbidUnknown(document, nested!);
}

function requireOneOf(schema: unknown, fields: readonly string[]): void {
  if (isNode(schema)) schema.anyOf = fields.map((field) => ({ required: [field] }));
}

const alternatives = ({ oneOf, anyOf }: Node): unknown[] =>
  [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));

function allowNull(schema: Node): void {
  const { type, enum: names } = schema;
  const list = [schema.oneOf, schema.anyOf].find((given) => Array.isArray(given));
  // Operations can share a schema, so null might already be allowed.
  const isNull = (one: unknown) => isNode(one) && one.type === 'null';
  if (list !== undefined) list.push(...(list.some(isNull) ? [] : [{ type: 'null' }]));
  else if (typeof type === 'string' && type !== 'null') schema.type = [type, 'null'];
  if (Array.isArray(names) && !names.includes(null)) schema.enum = [...(names as unknown[]), null];
}

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

const ERROR_TYPES = new Set(Object.values(ERROR_CODES).map(({ type }) => type));

const errorEnvelope = (types: ReadonlySet<string>) => ({
  type: 'object',
  required: ['error'],
  properties: {
    type: { type: 'string', enum: ['error'], description: 'Only under `/v1/messages`.' },
    error: {
      type: 'object',
      required: ['message', 'type', 'code', 'param', 'request_id'],
      properties: {
        message: { type: 'string' },
        type: { type: 'string', enum: [...types] },
        code: { type: 'string', enum: Object.keys(ERROR_CODES) },
        param: { type: ['string', 'null'], description: 'The invalid field.' },
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

type DescribedSettings = Pick<Config, 'profile' | 'upstreamErrors'>;

/**
 * Adds what decorators cannot express: readable wildcard paths, errors, response headers, and rules for null and unknown fields
 * in request bodies. Changes `document` in place. @param routes all enabled routes
 */
export function finishDocument(
  document: OpenAPIObject,
  routes: readonly DeclaredRoute[],
  { profile, upstreamErrors }: DescribedSettings,
): void {
  for (const [nestPath, documentPath] of Object.entries(WILDCARDS)) renamePath(document.paths, nestPath, documentPath);
  const schemas = (document.components ??= {}).schemas ?? {};
  const relays = upstreamErrors === 'relay';
  const types = profile === 'current' ? new Set([...ERROR_TYPES, ...Object.values(ANTHROPIC_TYPES)]) : ERROR_TYPES;
  document.components.schemas = Object.assign(schemas, {
    ErrorEnvelope: errorEnvelope(types),
    ...(relays && { RelayedError: RELAYED_ERROR }),
  });
  document.components.headers = RESPONSE_HEADERS;
  for (const [name, fields] of Object.entries(ONE_OF_REQUIRED)) requireOneOf(schemas[name], fields);
  for (const { method, path, spec } of routes) {
    const described = describedPath(path);
    const operation = document.paths[described]?.[method.toLowerCase() as 'get'];
    if (operation === undefined || spec === undefined) continue;
    if (spec.kind === 'admin') finishIds(operation);
    if (needsCsrfToken(spec, method)) addCsrfToken(operation, spec);
    finishBody(document, operation, spec);
    finishResponses(operation, spec, method, described);
    if (relays && spec.kind === 'gateway' && isForwarded(operation, spec)) addRelayedErrors(operation);
    operation.security ??= [];
  }
  const tags = Object.values(document.paths).flatMap((item) =>
    (Object.values(item) as Operation[]).flatMap((operation) => operation.tags ?? []),
  );
  document.tags = [...new Set(tags)].map((name) => ({ name, description: TAGS[name] }));
}

export function describedPath(path: string): string {
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

function finishBody(document: OpenAPIObject, { requestBody }: Operation, spec: RouteSpec): void {
  if (requestBody === undefined || !('content' in requestBody)) return;
  const { schema } = requestBody.content['application/json'] ?? {};
  if (schema === undefined || !('$ref' in schema)) return;
  if (spec.kind === 'admin' || spec.kind === 'dashboard') forbidUnknown(document, schema.$ref);
  else if (spec.kind === 'gateway' && (spec.body === 'json' || spec.body === 'opaque'))
    allowNullForOptional(document.components?.schemas?.[schema.$ref.split('/').at(-1)!]);
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
