import type { Config } from '../platform/config/config.js';
import type { GatewayRouteSpec } from '../platform/routes/route-spec.js';
import { isObject } from '../platform/validation/check.js';

type Json = Readonly<Record<string, unknown>>;

/** Where the body names the model that its route runs, as a path: `session.model`. */
export function modelPathOf(json: Json, { modelIn }: Pick<GatewayRouteSpec, 'modelIn'>): readonly string[] {
  if (modelIn === undefined) return ['model'];
  const at = json[modelIn];
  return modelIn === 'session' && isObject(at) && isTranscription(at['type'])
    ? TRANSCRIPTION_MODEL
    : [modelIn, 'model'];
}

const isTranscription = (type: unknown): boolean => typeof type === 'string' && type.toLowerCase() === 'transcription';
/** A transcription session has no other model. */
const TRANSCRIPTION_MODEL = ['session', 'audio', 'input', 'transcription', 'model'];

export function requestedModel(json: Json, route: Pick<GatewayRouteSpec, 'modelIn'>): unknown {
  let at: unknown = json;
  for (const name of modelPathOf(json, route)) at = isObject(at) ? at[name] : undefined;
  return at;
}

/** Whether each request in the body's list of requests names its model. True for a route without such a list. */
export function eachRequestNamesModel(json: Json, { requestsIn }: Pick<GatewayRouteSpec, 'requestsIn'>): boolean {
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
