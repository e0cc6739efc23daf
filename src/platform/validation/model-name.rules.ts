import { hasLength } from './characters.js';
import type { Kind } from './check.js';
import { string } from './scalar-kinds.js';

export const MODEL_CHARACTERS_MAX = 200;

/** An empty name passes, and the model gate rejects it (D30). */
export const modelName: Kind = string({ max: MODEL_CHARACTERS_MAX });

export const isModelName = (model: unknown): model is string =>
  typeof model === 'string' && hasLength(model, 0, MODEL_CHARACTERS_MAX);
