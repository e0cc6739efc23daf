import { modelsIn } from '../../../platform/json/models-in-body.js';
import { MODEL_FIELDS } from '../../../platform/json/model-fields.data.js';
import type { JsonObject } from '../../../platform/validation/check.js';

/** The models that can serve a request instead of its main model. */
export interface FallbackModels {
  /** At most 64 distinct names. */
  readonly names: readonly string[];
  /** The body contains `fallbacks: "default"`, so models that it does not name can serve the request. */
  readonly providerChooses: boolean;
  /** The body names more models than `names`. */
  readonly more: boolean;
}

/** Each name costs about 20 µs per upstream if its price is not cached. Providers accept three. */
const NAMES_MAX = 64;
/** Models in these fields run a tool, and never serve the request itself. */
const TOOL_FIELDS: readonly string[] = ['tools', 'web_search_options'];
const FALLBACK_FIELDS = MODEL_FIELDS.filter((field) => !TOOL_FIELDS.includes(field));
/** A router that reads this name uses fallbacks that the request does not name. */
export const DEFAULT_FALLBACKS = 'default';

const NO_FALLBACKS: FallbackModels = { names: [], providerChooses: false, more: false };

/** Reads the fields that the model gate checks, in linear time. Most requests contain none of them. */
export function fallbacksIn(json: JsonObject): FallbackModels {
  const names = new Set<string>();
  for (const field of FALLBACK_FIELDS) {
    if (json[field] === undefined) continue;
    for (const name of modelsIn(field, json)) {
      if (name === '' || names.has(name)) continue;
      if (names.size === NAMES_MAX) return fallbacksOf(names, true);
      names.add(name);
    }
  }
  return names.size === 0 ? NO_FALLBACKS : fallbacksOf(names, false);
}

const fallbacksOf = (names: ReadonlySet<string>, more: boolean): FallbackModels => ({
  names: [...names],
  more,
  providerChooses: names.has(DEFAULT_FALLBACKS),
});
