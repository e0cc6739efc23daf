import { BooleanField, StringField } from '../../validation/fields.js';
import { EXACT_MODEL_ID } from '../exact-model-id.js';

export class SetModelPolicyRequest {
  @StringField({
    ...EXACT_MODEL_ID,
    required: true,
    example: 'gpt-4o-mini',
    description: 'Exact id, listed or not.',
  })
  model: string;

  @BooleanField({ required: true, example: false, description: 'true allows the model, false blocks it.' })
  enabled: boolean;

  @StringField({
    max: 1000,
    stored: true,
    nullable: true,
    example: 'Too dear for tests',
    description: 'Why. Left out or null: none.',
  })
  note?: string | null;
}
