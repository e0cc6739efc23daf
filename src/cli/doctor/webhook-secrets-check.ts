import type { Config } from '../../config/config.js';
import { Secrets } from '../../secrets/secrets.js';
import type { Session } from '../database/stores/session.js';
import { fail, ok, type Finding } from './finding.js';
import { webhookSecrets } from './stores/webhook-secrets.store.js';

const CHECK = 'webhook_secrets';

/** Whether GW_SECRET_KEY is the key that they were encrypted with. */
export async function checkWebhookSecrets(session: Session, config: Config): Promise<Finding> {
  if (config.secretKeys.length === 0) return ok(CHECK, 'opened by the key that a start keeps in its file');
  const secrets = new Secrets(config);
  const closed = (await webhookSecrets(session)).filter((stored) => !opens(secrets, stored)).length;
  if (closed === 0) return ok(CHECK, 'GW_SECRET_KEY opens all that there are');
  return fail(
    CHECK,
    `GW_SECRET_KEY does not open the secrets of ${closed} webhook(s): nothing is delivered to them`,
    'Set the key that they were made with, alone or behind the new one. Is it lost? Make the webhooks again.',
  );
}

function opens(secrets: Secrets, stored: string): boolean {
  try {
    secrets.decrypt('webhook-secret', stored);
    return true;
  } catch {
    return false;
  }
}
