import type { GatewayRouteSpec } from '../routes/route-spec.js';

type Allows = (model: string) => boolean;

// By the list itself: a key's snapshot is kept, so its list is compiled once.
const compiled = new WeakMap<readonly string[], Allows>();

/**
 * Whether a key's list lets it use `model`: exact ids, and in old rows prefixes that end in `*` (D16).
 * @param allowedModels null or empty: no restriction
 */
export function allowsModel(allowedModels: readonly string[] | null, model: string): boolean {
  if (allowedModels === null || allowedModels.length === 0) return true;
  let allows = compiled.get(allowedModels);
  if (allows === undefined) compiled.set(allowedModels, (allows = compile(allowedModels)));
  return allows(model);
}

/**
 * Whether a key has to name a model: where the provider would take one of its own, leaving it out would step around the key's
 * list (D9, D29).
 */
export const mustNameModel = (
  allowedModels: readonly string[] | null,
  route: Pick<GatewayRouteSpec, 'model'>,
): boolean => allowedModels !== null && route.model === 'defaulted';

function compile(allowedModels: readonly string[]): Allows {
  const ids = new Set(allowedModels);
  const prefixes = allowedModels.filter((entry) => entry.endsWith('*')).map((entry) => entry.slice(0, -1));
  return (model) => ids.has(model) || prefixes.some((prefix) => model.startsWith(prefix));
}
