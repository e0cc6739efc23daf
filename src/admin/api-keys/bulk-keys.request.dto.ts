import { ArrayField } from '../../validation/fields.js';
import { string } from '../../validation/scalar-kinds.js';
import { UUID } from '../uuid.rules.js';

const KEYS_MAX = 500;
const KEY_ID = string({
  pattern: UUID,
  expected: 'a UUID',
});

/** Of whom the same is to be done. */
export class BulkKeysRequest {
  @ArrayField(KEY_ID, {
    min: 1,
    max: KEYS_MAX,
    required: true,
    example: ['6f1c2f0e-3c0a-4c55-9d43-1f2b7c9a8e10', '0b9a7c1d-52f4-4e0b-8f43-6a1e2d3c4b5a'],
    description: 'Ids of keys. One that is there twice counts once.',
  })
  ids: string[];
}
