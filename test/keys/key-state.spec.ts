import { describe, expect, test } from '@jest/globals';
import { keyStateRejection, type KeyStatus, statusAfter, type KeyTransition } from '../../src/keys/key-state.rules.js';

const NOW = Date.parse('2026-07-01T00:00:00Z');

describe('keyStateRejection (D2)', () => {
  test.each<[KeyStatus, number | null, string | undefined]>([
    ['active', null, undefined],
    ['active', NOW + 1, undefined],
    ['active', NOW, 'api_key_expired'],
    ['active', NOW - 1, 'api_key_expired'],
    ['suspended', null, 'api_key_suspended'],
    ['suspended', NOW - 1, 'api_key_suspended'],
    ['revoked', null, 'api_key_revoked'],
    ['revoked', NOW - 1, 'api_key_revoked'],
  ])('a key that is %s and expires at %s is rejected with %s', (status, expiresAtMs, code) => {
    expect(keyStateRejection({ status, expiresAtMs }, NOW)?.code).toBe(code);
  });
});

describe('statusAfter', () => {
  test.each<[KeyTransition, KeyStatus, KeyStatus | null]>([
    ['suspend', 'active', 'suspended'],
    ['suspend', 'suspended', null],
    ['suspend', 'revoked', null],
    ['unsuspend', 'active', null],
    ['unsuspend', 'suspended', 'active'],
    ['unsuspend', 'revoked', null],
    ['revoke', 'active', 'revoked'],
    ['revoke', 'suspended', 'revoked'],
    ['revoke', 'revoked', null],
    ['rotate', 'active', 'active'],
    ['rotate', 'suspended', 'suspended'],
    ['rotate', 'revoked', null],
  ])('%s changes a key that is %s to %s', (transition, from, to) => expect(statusAfter(transition, from)).toBe(to));
});
