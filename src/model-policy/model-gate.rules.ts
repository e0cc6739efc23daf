import type { Config } from '../platform/config/config.js';
import type { GatewayRouteSpec } from '../platform/routes/route-spec.js';
import { isObject, type JsonObject } from '../platform/validation/check.js';
import { ENDPOINTS, MODEL_ENDPOINTS, type ModelEndpoint, type ModelCategory } from './registry/endpoints.data.js';
import type { ModelFacts } from './registry/model-facts.js';

/** Where the body names the model that its route runs, as a path: `session.model`. */
export function modelPathOf(json: JsonObject, { modelIn }: Pick<GatewayRouteSpec, 'modelIn'>): readonly string[] {
  if (modelIn === undefined) return ['model'];
  const at = json[modelIn];
  return modelIn === 'session' && isObject(at) && isTranscription(at['type'])
    ? TRANSCRIPTION_MODEL
    : [modelIn, 'model'];
}

const isTranscription = (type: unknown): boolean => typeof type === 'string' && type.toLowerCase() === 'transcription';
/** The only model of a transcription session. */
const TRANSCRIPTION_MODEL = ['session', 'audio', 'input', 'transcription', 'model'];

/** The value that names the model, of any type. `models-in-body.ts` finds all other models that a body names. */
export function requestedModel(json: JsonObject, route: Pick<GatewayRouteSpec, 'modelIn'>): unknown {
  let at: unknown = json;
  for (const name of modelPathOf(json, route)) at = isObject(at) ? at[name] : undefined;
  return at;
}

/** Whether each request in the body's list of requests names its model. True for a route without such a list. */
export function eachRequestNamesModel(json: JsonObject, { requestsIn }: Pick<GatewayRouteSpec, 'requestsIn'>): boolean {
  if (requestsIn === undefined) return true;
  const requests = json[requestsIn];
  if (!Array.isArray(requests)) return false;
  return (requests as unknown[]).every(
    (request) => isObject(request) && isObject(request['params']) && typeof request['params']['model'] === 'string',
  );
}

/** Whether the provider chooses a model if the body names none. With `GW_VALIDATION=provider`, no later stage requires the field. */
export const hasDefaultModel = (
  route: Pick<GatewayRouteSpec, 'model' | 'requestsIn'>,
  validation: Config['validation'],
): boolean =>
  route.model === 'defaulted' ||
  route.requestsIn !== undefined ||
  (route.model === 'gated' && validation === 'provider');

/** @param allowedModels exact IDs, and in old rows prefixes that end in `*` (D16); null or empty: no restriction */
export function allowsModel(allowedModels: readonly string[] | null, model: string): boolean {
  if (allowedModels === null || allowedModels.length === 0) return true;
  let allows = compiled.get(allowedModels);
  if (allows === undefined) compiled.set(allowedModels, (allows = compile(allowedModels)));
  return allows(model);
}

type Allows = (model: string) => boolean;

// Keyed by the array itself. Key snapshots are cached, so each list is compiled once.
const compiled = new WeakMap<readonly string[], Allows>();

function compile(allowedModels: readonly string[]): Allows {
  const ids = new Set(allowedModels);
  const prefixes = allowedModels.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1));
  return (model) => ids.has(model) || prefixes.some((prefix) => model.startsWith(prefix));
}

/** Returns the path that the models of a route must fit, or null if the route accepts any model. */
export function judgedEndpoint(endpoint: string): ModelEndpoint | null {
  if (JUDGED_AS_CHAT.test(endpoint)) return '/v1/chat/completions';
  return PATHS_WITH_SUBROUTES.find(([path, prefix]) => path === endpoint || endpoint.startsWith(prefix))?.[0] ?? null;
}

const JUDGED_AS_CHAT = /^\/v1\/(?:assistants|threads)(?:\/|$)/;
/** A subroute is treated like its parent: `/v1/responses/compact` counts as `/v1/responses`. */
const PATHS_WITH_SUBROUTES = MODEL_ENDPOINTS.map((path) => [path, `${path}/`] as const);

/**
 * Returns the hint that ends a `model_endpoint_mismatch` message, or null if the model fits the route.
 * @param facts null for a custom model, which fits every route except /v1/responses (D31)
 * @param endpoint null if the route accepts any model
 */
export function endpointMismatch(facts: ModelFacts | null, endpoint: ModelEndpoint | null): string | null {
  if (endpoint === null) return null;
  if (facts === null || facts.endpoints === null) return endpoint === '/v1/responses' ? hintOfRoute(endpoint) : null;
  if (facts.endpoints.includes(endpoint)) return null;
  if (facts.legacyBase) return LEGACY_BASE_HINT;
  if (facts.category !== null && facts.category !== 'chat') return CATEGORY_HINTS[facts.category];
  const [fitting] = facts.endpoints;
  return hintOfRoute(endpoint) ?? (fitting === undefined ? 'no route takes it.' : `use POST ${fitting}.`);
}

/**
 * Whether a provider could choose a model on a route. A route that accepts any model (videos, realtime sessions, moderation)
 * runs only models of kinds that no other route runs.
 * @param facts null for a custom model
 */
export function couldRunOn(facts: ModelFacts | null, endpoint: string | null): boolean {
  const judged = endpoint === null ? null : judgedEndpoint(endpoint);
  if (judged === null) return (facts?.endpoints?.length ?? 0) === 0;
  return endpointMismatch(facts, judged) === null;
}

function hintOfRoute(endpoint: ModelEndpoint): string | null {
  return ENDPOINTS[endpoint].hint ?? null;
}

/** Hints of `model_endpoint_mismatch` by the kind of the model. The texts are part of the API contract. */
const CATEGORY_HINTS: Readonly<Record<Exclude<ModelCategory, 'chat'>, string>> = {
  embedding: 'this is an embedding model, use POST /v1/embeddings.',
  tts: 'this is a text-to-speech model, use POST /v1/audio/speech.',
  transcription: 'this is a transcription model, use POST /v1/audio/transcriptions.',
  image: 'this is an image model, use POST /v1/images/generations.',
  ocr: 'this is an OCR model, use POST /v1/chat/completions with image_url blocks.',
  realtime: 'this is a realtime model, it requires a WebSocket connection.',
};

const LEGACY_BASE_HINT = 'this is a legacy base model, use POST /v1/completions.';
