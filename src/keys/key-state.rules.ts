import { apiKeyExpired, apiKeyRevoked, apiKeySuspended } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import type { KeySnapshot } from '../request-context/key-snapshot.js';

export type KeyStatus = KeySnapshot['status'];

/** Expiry is no status: a key whose time has come stays active and is refused by the clock. */
export function isExpired(expiresAtMs: number | null, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** Why the key may not be used now; null: it may. Revoked goes before suspended, suspended before expired (D2). */
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
