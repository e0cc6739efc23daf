import type { Attributes } from '@opentelemetry/api';
import type { TracedRequest } from '../../request-context/request-trace.js';
import type { GatewayRouteSpec } from '../../routes/route-spec.js';
import { withoutCredentials, withoutKeys } from '../redact.js';
import {
  OPERATIONS,
  OUTPUT_TYPES,
  PROVIDERS,
  REQUEST_PARAMETERS,
  type RequestParameter,
} from './genai-attributes.data.js';

type Json = Readonly<Record<string, unknown>>;

const WORD = /^[a-z0-9_-]{1,20}$/;

/** Returns `gen_ai.operation.name`, or null for a route that does not call a model. */
export function operationOf({ route }: Pick<TracedRequest, 'route'>): string | null {
  if (route?.kind !== 'gateway' || route.usage === null || route.usage === 'units') return null;
  return OPERATIONS[route.usage];
}

/** Returns the attributes that are available before the upstream request. Call it while the parsed body exists. */
export function requestAttributes(request: TracedRequest, api: GatewayRouteSpec['api']): Attributes {
  const operation = operationOf(request);
  if (operation === null) return {};
  const attributes: Attributes = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': PROVIDERS[api],
  };
  if (request.model !== null) attributes['gen_ai.request.model'] = withoutKeys(request.model);
  if (request.stream) attributes['gen_ai.request.stream'] = true;
  if (request.body.json !== null) addParameters(attributes, request.body.json);
  return attributes;
}

/** @param cut whether the response ended early, or is an error */
export function responseAttributes(request: TracedRequest, upstreamStartedAtMs: number, cut: boolean): Attributes {
  if (operationOf(request) === null) return {};
  const attributes: Attributes = {};
  const { facts, responseModel } = request.upstream;
  const model = responseModel || facts?.model;
  if (model) attributes['gen_ai.response.model'] = withoutCredentials(model);
  if (facts !== null && facts.id !== null) attributes['gen_ai.response.id'] = withoutCredentials(facts.id);
  const reasons = facts?.finishReasons ?? [];
  if (reasons.length > 0) attributes['gen_ai.response.finish_reasons'] = reasons.map(withoutCredentials);
  else if (cut && request.stream) attributes['gen_ai.response.finish_reasons'] = ['error'];
  addTimes(attributes, request, upstreamStartedAtMs);
  const { usage } = request;
  if (usage === null || usage.provenance === 'none') return attributes;
  // Usage that the upstream reported. An estimate can finish after the span has ended.
  attributes['gen_ai.usage.input_tokens'] = usage.inputTokens;
  attributes['gen_ai.usage.output_tokens'] = usage.outputTokens;
  return attributes;
}

function addTimes(attributes: Attributes, { stream, response }: TracedRequest, upstreamStartedAtMs: number): void {
  if (!stream || response.firstByteAtMs === null) return;
  const seconds = (response.firstByteAtMs - upstreamStartedAtMs) / 1000;
  attributes['gen_ai.response.time_to_first_chunk'] = Math.max(0, seconds);
}

function addParameters(attributes: Attributes, json: Json): void {
  for (const parameter of REQUEST_PARAMETERS) {
    const value = parameterOf(json, parameter);
    if (value !== undefined) attributes[parameter.attribute] = value;
  }
  const { n, encoding_format: encoding } = json;
  if (Number.isSafeInteger(n) && n !== 1) attributes['gen_ai.request.choice.count'] = n;
  if (isWord(encoding)) attributes['gen_ai.request.encoding_formats'] = [encoding];
  const format = fieldOf(json, 'response_format.type') ?? fieldOf(json, 'text.format.type');
  const output = OUTPUT_TYPES.get(format);
  if (output !== undefined) attributes['gen_ai.output.type'] = output;
}

function parameterOf(json: Json, { kind, fields }: RequestParameter): number | string | undefined {
  const value = fields.map((field) => fieldOf(json, field)).find((found) => found !== undefined && found !== null);
  switch (kind) {
    case 'integer':
      return Number.isSafeInteger(value) ? (value as number) : undefined;
    case 'number':
      return typeof value === 'number' ? value : undefined;
    case 'word':
      return isWord(value) ? value : undefined;
    default:
      return kind satisfies never;
  }
}

const isWord = (value: unknown): value is string => typeof value === 'string' && WORD.test(value);

function fieldOf(json: Json, path: string): unknown {
  let value: unknown = json;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Json)[name];
  }
  return value;
}
