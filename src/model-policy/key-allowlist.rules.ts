import type { Config } from '../config/config.js';
import { isObject } from '../validation/check.js';
import type { GatewayRouteSpec } from '../routes/route-spec.js';

type Allows = (model: string) => boolean;

// Keyed by the array itself. Key snapshots are cached, so each list is compiled once.
const compiled = new WeakMap<readonly string[], Allows>();

/** @param allowedModels exact IDs, and in old rows prefixes that end in `*` (D16); null or empty: no restriction */
export function allowsModel(allowedModels: readonly string[] | null, model: string): boolean {
  if (allowedModels === null || allowedModels.length === 0) return true;
  let allows = compiled.get(allowedModels);
  if (allows === undefined) compiled.set(allowedModels, (allows = compile(allowedModels)));
  return allows(model);
}

export function requestedModel(
  json: Readonly<Record<string, unknown>>,
  { modelIn }: Pick<GatewayRouteSpec, 'modelIn'>,
): unknown {
  const at = modelIn === undefined ? json : json[modelIn];
  return isObject(at) ? at['model'] : undefined;
}

/**
 * Returns whether a key must name a model. If the provider chose one, a request without a model would bypass the allowed models
 * (D9, D29). With `GW_VALIDATION=provider`, no later stage requires the field.
 */
export const mustNameModel = (
  allowedModels: readonly string[] | null,
  route: Pick<GatewayRouteSpec, 'model'>,
  validation: Config['validation'],
): boolean =>
  allowedModels !== null && (route.model === 'defaulted' || (route.model === 'gated' && validation === 'provider'));

function compile(allowedModels: readonly string[]): Allows {
  const ids = new Set(allowedModels);
  const prefixes = allowedModels.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1));
  return (model) => ids.has(model) || prefixes.some((prefix) => model.startsWith(prefix));
}
