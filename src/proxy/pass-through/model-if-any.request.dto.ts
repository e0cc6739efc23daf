import { CheckedField } from '../../validation/fields.js';
import { modelName } from '../../validation/model-name.rules.js';
import type { Check } from '../../validation/check.js';

/** A model name that is too long for the gate must not bypass it. A value that is not text is left to the provider. */
const ifText: Check = (value, param, mode) => (typeof value === 'string' ? modelName.check(value, param, mode) : null);

/** A body that can name a model (D9). The gateway checks no other field of it. */
export class ModelIfAny {
  @CheckedField(ifText, modelName.schema, {
    readByGateway: 'optional',
    description: 'Goes through the model gate.',
  })
  model?: unknown;
}
