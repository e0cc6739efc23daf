import { describe, expect, test } from '@jest/globals';
import { keyEvents, type KeyStanding } from '../../src/scheduler/key-warnings.rules.js';

const NOW = Date.parse('2028-02-29T03:00:00.000Z');
const DAY = 86_400_000;

const key = (fields: Partial<KeyStanding> = {}): KeyStanding => ({
  id: '0f2a7c1e-5b1d-4f6a-8c3e-9d0b1a2c3d4e',
  name: 'Billing',
  status: 'active',
  expiresAt: null,
  monthlyLimit: null,
  monthlyRequests: 0n,
  monthlyTokenLimit: null,
  monthlyTokens: 0n,
  ...fields,
});
const typesOf = (fields: Partial<KeyStanding>, nowMs = NOW) => keyEvents(key(fields), nowMs).map(({ type }) => type);
const expiring = (inMs: number) => typesOf({ expiresAt: new Date(NOW + inMs) });

describe('expiry events', () => {
  test.each([
    ['in a week and a millisecond', 7 * DAY + 1, []],
    ['in a week', 7 * DAY, ['key_expiring_soon']],
    ['in a millisecond', 1, ['key_expiring_soon']],
    ['now', 0, ['key_expired']],
    ['a millisecond ago', -1, ['key_expired']],
    ['years ago', -3000 * DAY, ['key_expired']],
  ])('an expiry date %s (%i ms) raises the events %j', (_when, inMs, types) => {
    expect(expiring(inMs)).toEqual(types);
  });

  test('the period of an expiry event is the expiry date', () => {
    const [soon] = keyEvents(key({ expiresAt: new Date('2028-03-01T23:59:59.999Z') }), NOW);
    expect(soon).toEqual({
      type: 'key_expiring_soon',
      period: '2028-03-01',
      data: {
        key_id: key().id,
        key_name: 'Billing',
        status: 'active',
        expires_at: '2028-03-01T23:59:59.999Z',
      },
    });
    const [expired] = keyEvents(key({ expiresAt: new Date('2028-02-29T00:00:00.000Z') }), NOW);
    expect(expired).toMatchObject({ type: 'key_expired', period: '2028-02-29' });
  });
});

describe.each([
  ['requests', 'monthlyLimit', 'monthlyRequests', 'key_quota_warning', 'key_quota_exceeded'],
  ['tokens', 'monthlyTokenLimit', 'monthlyTokens', 'key_token_quota_warning', 'key_token_quota_exceeded'],
] as const)('the monthly limit of %s', (_unit, limitOf, usedOf, warning, exceeded) => {
  test.each([
    [7_999n, 10_000n, []],
    [8_000n, 10_000n, [warning]],
    [9_999n, 10_000n, [warning]],
    [10_000n, 10_000n, [exceeded]],
    [10_001n, 10_000n, [exceeded]],
    [0n, 1n, []],
    [1n, 1n, [exceeded]],
    [4n, 5n, [warning]],
    [3n, 4n, []],
    [5n, 6n, [warning]],
    // At 2^53 - 1, 80% is not an integer, and a float loses precision.
    [7_205_759_403_792_792n, 9_007_199_254_740_991n, []],
    [7_205_759_403_792_793n, 9_007_199_254_740_991n, [warning]],
    [9_007_199_254_740_990n, 9_007_199_254_740_991n, [warning]],
    [9_007_199_254_740_991n, 9_007_199_254_740_991n, [exceeded]],
  ])('usage of %d out of %d raises the events %j', (used, limit, types) => {
    expect(typesOf({ [limitOf]: limit, [usedOf]: used })).toEqual(types);
  });

  test('a limit of null raises no event at any usage', () => {
    expect(typesOf({ [limitOf]: null, [usedOf]: 10n ** 15n })).toEqual([]);
  });

  test('a quota event contains limit, usage, month, and the percentage rounded down', () => {
    const events = keyEvents(key({ [limitOf]: 30_000n, [usedOf]: 29_999n }), NOW);
    expect(events).toEqual([
      {
        type: warning,
        period: '2028-02',
        data: {
          key_id: key().id,
          key_name: 'Billing',
          status: 'active',
          limit: 30_000,
          used: 29_999,
          percent: 99.99,
          month: '2028-02',
        },
      },
    ]);
  });
});

test('the period of a quota event is the UTC month, to the millisecond', () => {
  const months = ['2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00.000Z', '2028-12-31T23:59:59.999Z'].map(
    (moment) => keyEvents(key({ monthlyLimit: 1n, monthlyRequests: 1n }), Date.parse(moment))[0]?.period,
  );
  expect(months).toEqual(['2028-02', '2028-03', '2028-12']);
});

const EVERYTHING: Partial<KeyStanding> = {
  expiresAt: new Date(NOW),
  monthlyLimit: 10n,
  monthlyRequests: 9n,
  monthlyTokenLimit: 10n,
  monthlyTokens: 10n,
};

test('suspended keys raise the same events as active keys, and revoked keys raise none', () => {
  const all = ['key_expired', 'key_quota_warning', 'key_token_quota_exceeded'];
  expect(typesOf(EVERYTHING)).toEqual(all);
  expect(typesOf({ ...EVERYTHING, status: 'suspended' })).toEqual(all);
  expect(typesOf({ ...EVERYTHING, status: 'revoked' })).toEqual([]);
});
