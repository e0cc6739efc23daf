import type { KeySnapshot, QuotaFigures, WindowFigures } from '../../request-context/key-snapshot.js';
import { withoutCredentials } from '../../telemetry/redact.js';
import type { UsageSnapshot, WindowUsage } from './usage-snapshot.response.dto.js';

/**
 * What a key's holder may see of it: `GET /v1/usage`. `remaining` never falls below 0.
 * @param lastUsedAt as stored now: a use raises no version, so the snapshot of the key may be behind
 */
export function usageSnapshot(
  key: KeySnapshot,
  figures: QuotaFigures,
  lastUsedAt: Date | null,
  nowMs: number,
): UsageSnapshot {
  return {
    object: 'usage',
    key_id: key.id,
    key_name: withoutCredentials(key.name),
    status: key.status,
    expires_at: iso(key.expiresAtMs),
    is_expired: key.expiresAtMs !== null && key.expiresAtMs <= nowMs,
    last_used_at: lastUsedAt?.toISOString() ?? null,
    allowed_models: key.allowedModels === null ? null : [...key.allowedModels],
    this_minute: windowUsage(figures.minute),
    today: windowUsage(figures.day),
    this_month: { requests: windowUsage(figures.month), tokens: tokenUsage(figures.tokens) },
  };
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function windowUsage<L extends number | null>({ limit, used, resetsAtMs }: WindowFigures<L>): WindowUsage<L> {
  const remaining = (limit === null ? null : Math.max(0, limit - used)) as L;
  return { limit, used, remaining, resets_at: new Date(resetsAtMs).toISOString() };
}

/** Tokens are counted for keys with a limit only: for the others everything but the reset is null. */
function tokenUsage(tokens: WindowFigures<number | null>): UsageSnapshot['this_month']['tokens'] {
  const usage = windowUsage(tokens);
  return tokens.limit === null ? { ...usage, used: null } : usage;
}
