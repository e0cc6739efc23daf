import { CheckedField } from '../../validation/fields.js';
import { modelName } from '../../validation/model-name.rules.js';
import type { Check } from '../../validation/check.js';

/** A model too long for the gate must not step around it; whatever is no text is the upstream's to judge. */
const ifText: Check = (value, param, mode) => (typeof value === 'string' ? modelName.check(value, param, mode) : null);

/** A body of another's making that may name a model (D9): of all its members only that one is looked at. */
export class ModelIfAny {
  @CheckedField(ifText, modelName.schema, {
    readByGateway: 'optional',
    description: 'Goes through the model gate like a chat model.',
  })
  model?: unknown;
}
