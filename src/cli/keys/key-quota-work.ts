import { ResetQuotaRequest } from '../../admin/api-keys/api-key.request.dto.js';
import type { QuotaResetResponse } from '../../admin/api-keys/key-quota.response.dto.js';
import { KeyQuotaService } from '../../keys/key-quota.service.js';
import { KeysModule } from '../../keys/keys.module.js';
import { SYSTEM_ACTOR } from '../../request-context/admin-actor.js';
import { withApplication } from '../application.js';
import { checkBody } from '../check-input.js';
import type { Invocation, Result } from '../command.js';
import { keyId } from './key-id.js';
import { RESET_OPTIONS } from './key-options.data.js';

/** `POST /admin/api-keys/{id}/reset-quota`. */
export async function resetQuota(call: Invocation, typedId: string, input: Record<string, unknown>): Promise<Result> {
  const id = keyId.transform(typedId);
  const { window = 'all' } = await checkBody(ResetQuotaRequest, input, RESET_OPTIONS);
  return withApplication(call, { room: KeysModule, writes: true }, async (services) => {
    await services.get(KeyQuotaService).reset(id, window, SYSTEM_ACTOR);
    const document: QuotaResetResponse = { key_id: id, window, reset: true };
    const windows = window === 'all' ? 'minute, day and month' : window;
    return { document, text: `The requests of the API key ${id} count from nothing again: ${windows}.\n` };
  });
}
