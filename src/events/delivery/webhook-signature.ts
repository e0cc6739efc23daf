import { Webhook as Signer } from 'standardwebhooks';

interface SignedText {
  /** Of the event: the same at each attempt. */
  readonly id: string;
  readonly body: string;
  readonly secret: string;
}

/**
 * The headers of a message by the Standard Webhooks scheme: HMAC-SHA256 over `id.timestamp.body`.
 * @throws where `secret` is no secret of the scheme
 */
export function signedHeaders({ id, body, secret }: SignedText, nowMs: number): Readonly<Record<string, string>> {
  const now = new Date(nowMs);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': new Signer(secret).sign(id, now, body),
  };
}
