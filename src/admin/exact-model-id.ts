import { MODEL_CHARACTERS_MAX } from '../validation/model-name.rules.js';

/** A model as a key or a policy may name it. A wildcard would match nothing, though it looks as if it did. */
export const EXACT_MODEL_ID = {
  min: 1,
  max: MODEL_CHARACTERS_MAX,
  stored: true,
  pattern: /^[^*]*$/,
  expected: 'an exact model id, without wildcards',
} as const;
