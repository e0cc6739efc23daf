import { apiKeyExpired, apiKeyRevoked, apiKeySuspended } from '../errors/error-factories.js';
import type { GatewayError } from '../errors/gateway-error.js';
import type { KeySnapshot } from '../request-context/key-snapshot.js';

export type KeyStatus = KeySnapshot['status'];

/** Expiry is not a status: an expired key stays `active`. */
export function isExpired(expiresAtMs: number | null, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** Null if the key can be used. Revoked and suspended take precedence over expired (D2). */
export function keyStateRefusal(
  { status, expiresAtMs }: Pick<KeySnapshot, 'status' | 'expiresAtMs'>,
  nowMs: number,
): GatewayError | null {
  switch (status) {
    case 'revoked':
      return apiKeyRevoked();
    case 'suspended':
      return apiKeySuspended();
    case 'active':
      return isExpired(expiresAtMs, nowMs) ? apiKeyExpired() : null;
    default:
      return status satisfies never;
  }
}
