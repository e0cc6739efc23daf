import { Webhook as Signer } from 'standardwebhooks';
import type { Claim } from '../stores/claim.store.js';

export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Signs an event by the Standard Webhooks scheme: HMAC-SHA256 over `id.timestamp.body`. Only the timestamp and the signature
 * differ between attempts.
 * @throws Error if the secret is malformed
 */
export function signedMessage(
  { eventId: id, type, createdAt, data, url }: Claim,
  secret: string,
  nowMs: number,
): WebhookMessage {
  const body = JSON.stringify({ id, type, created_at: createdAt.toISOString(), data });
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': new Signer(secret).sign(id, new Date(nowMs), body),
  };
  return { url, body, headers };
}
