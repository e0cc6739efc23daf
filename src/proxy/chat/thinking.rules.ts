import type { Kind } from '../../validation/check.js';
import { object, required, taggedObject } from '../../validation/compound-kinds.js';
import { integer } from '../../validation/scalar-kinds.js';

/** `thinking`: switched off, or on with a budget of at least 1024 tokens. */
export const thinking: Kind = taggedObject('type', {
  enabled: object({ budget_tokens: required(integer({ min: 1024 })) }),
  disabled: object(),
});
