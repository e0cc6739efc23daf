import type { Session } from '../../database/stores/session.js';

/** What is stored of each webhook's secret, encrypted. */
export async function webhookSecrets(session: Session): Promise<string[]> {
  return (await session.rows<{ secret: string }>('select secret from webhooks')).map(({ secret }) => secret);
}
