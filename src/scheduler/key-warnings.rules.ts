import type { DAILY_EVENT_TYPES } from '../audit/events/event-type.data.js';
import { isExpired, type KeyStatus } from '../keys/key-state.rules.js';

const SOON_MS = 7 * 86_400_000;

export interface KeyStanding {
  readonly id: string;
  readonly name: string;
  readonly status: KeyStatus;
  readonly expiresAt: Date | null;
  readonly monthlyLimit: bigint | null;
  readonly monthlyRequests: bigint;
  readonly monthlyTokenLimit: bigint | null;
  readonly monthlyTokens: bigint;
}

type KeyEventType = (typeof DAILY_EVENT_TYPES)[number];

interface KeyEvent {
  readonly type: KeyEventType;
  readonly data: Readonly<Record<string, unknown>>;
  /** A key gets one event of a type per period: the month (`2026-07`) or the expiry date. */
  readonly period: string;
}

/**
 * Returns the events that a key has at this time (D20). Revoked keys have none, suspended keys the same as active keys. Each
 * run returns the events again, and the outbox publishes each only once.
 */
export function keyEvents(key: KeyStanding, nowMs: number): KeyEvent[] {
  if (key.status === 'revoked') return [];
  return [...expiryOf(key, nowMs), ...requestsOf(key, nowMs), ...tokensOf(key, nowMs)];
}

function expiryOf(key: KeyStanding, nowMs: number): KeyEvent[] {
  const { expiresAt } = key;
  if (expiresAt === null) return [];
  const expired = isExpired(expiresAt.getTime(), nowMs);
  if (!expired && expiresAt.getTime() - nowMs > SOON_MS) return [];
  const expires = expiresAt.toISOString();
  const type = expired ? 'key_expired' : 'key_expiring_soon';
  return [{ type, data: { ...nameOf(key), expires_at: expires }, period: expires.slice(0, -'T00:00:00.000Z'.length) }];
}

function requestsOf(key: KeyStanding, nowMs: number): KeyEvent[] {
  const share = shareOf(key.monthlyRequests, key.monthlyLimit);
  if (share === null) return [];
  return [thresholdEvent(share.exceeded ? 'key_quota_exceeded' : 'key_quota_warning', key, share, nowMs)];
}

function tokensOf(key: KeyStanding, nowMs: number): KeyEvent[] {
  const share = shareOf(key.monthlyTokens, key.monthlyTokenLimit);
  if (share === null) return [];
  return [thresholdEvent(share.exceeded ? 'key_token_quota_exceeded' : 'key_token_quota_warning', key, share, nowMs)];
}

interface Share {
  readonly used: bigint;
  readonly limit: bigint;
  readonly exceeded: boolean;
}

/** Returns null below 80%. Uses integers, because the product of a token limit exceeds the exact range of a float. */
function shareOf(used: bigint, limit: bigint | null): Share | null {
  if (limit === null || used * 100n < limit * 80n) return null;
  return { used, limit, exceeded: used >= limit };
}

function thresholdEvent(type: KeyEventType, key: KeyStanding, { used, limit }: Share, nowMs: number): KeyEvent {
  const month = new Date(nowMs).toISOString().slice(0, 'YYYY-MM'.length);
  // Rounded down, so that a warning never shows 100%.
  const percent = Number((used * 10_000n) / limit) / 100;
  return { type, data: { ...nameOf(key), limit: Number(limit), used: Number(used), percent, month }, period: month };
}

const nameOf = ({ id, name, status }: KeyStanding) => ({ key_id: id, key_name: name, status });
