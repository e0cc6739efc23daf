import { BooleanField, StringField } from '../../validation/fields.js';

export class SetModelPolicyRequest {
  @StringField({ min: 1, max: 200, stored: true, required: true, description: 'Exact id, listed or not.' })
  model: string;

  @BooleanField({ required: true, description: 'true allows the model, false blocks it.' })
  enabled: boolean;

  @StringField({ max: 1000, stored: true, nullable: true, description: 'Why. Left out or null: none.' })
  note?: string | null;
}
