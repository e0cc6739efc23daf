import { hasLength } from './characters.js';
import type { Kind } from './check.js';
import { string } from './scalar-kinds.js';

export const MODEL_CHARACTERS_MAX = 200;

/**
 * The kind of every `model` field. An empty name passes, and the model gate refuses it (D30).
 * The gate and `X-GW-Model` (D4) use `isModelName`, so that they accept exactly the same strings.
 */
export const modelName: Kind = string({ max: MODEL_CHARACTERS_MAX });

export const isModelName = (model: unknown): model is string =>
  typeof model === 'string' && hasLength(model, 0, MODEL_CHARACTERS_MAX);
