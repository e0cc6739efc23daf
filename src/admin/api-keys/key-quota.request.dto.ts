import { RESETTABLE_WINDOWS, type ResettableWindow } from '../../quota/quota-reset.js';
import { EnumField } from '../../validation/fields.js';

/** Of what the requests begin at nothing again. */
export class ResetQuotaRequest {
  @EnumField(RESETTABLE_WINDOWS, {
    byDefault: 'all',
    example: 'minute',
    description: '`all`: minute, day and month. Tokens stay as they are.',
  })
  window?: ResettableWindow;
}
