import { hasLength } from './characters.js';
import type { Kind } from './check.js';
import { string } from './scalar-kinds.js';

/** Characters (code points). */
export const MODEL_CHARACTERS_MAX = 200;

/**
 * `model` of every route that takes one. An empty one passes here: the model gate knows no such model (D30).
 * The gate must judge exactly the strings that pass here, so it asks `isModelName`; so does `X-GW-Model` (D4).
 */
export const modelName: Kind = string({ max: MODEL_CHARACTERS_MAX });

export const isModelName = (model: unknown): model is string =>
  typeof model === 'string' && hasLength(model, 0, MODEL_CHARACTERS_MAX);
