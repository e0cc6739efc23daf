import { expect, test } from '@jest/globals';
import { Config } from '../../../src/platform/config/config.js';
import {
  nearestSetting,
  removedSettings,
  unknownSettings,
} from '../../../src/platform/config/setting-problems.rules.js';

test('unknown variables are found only if their names start with GW_', () => {
  const env = { GW_DATABASE_POOL: '5', GW_DATABSE_POOL: '5', DATABSE_URL: 'x', PATH: '/bin' };
  expect(unknownSettings(env)).toEqual(['GW_DATABSE_POOL']);
});

test.each([
  ['GW_DATABSE_POOL', 'GW_DATABASE_POOL'],
  ['GW_DATABASE_POOLS', 'GW_DATABASE_POOL'],
  ['GW_UPSTREAM_BASE_ULR', 'GW_UPSTREAM_BASE_URL'],
  ['GW_PORT', 'PORT'],
  ['GW_DATABASE_URL', 'DATABASE_URL'],
  ['GW_COLOUR_OF_THE_DASHBOARD', null],
])('the setting closest to %s is %s', (name, nearest) => {
  expect(nearestSetting(name)).toBe(nearest);
});

test.each(['redis://gateway:hunter2@cache:6379/0', 'not a URL'])(
  'REDIS_URL=%s is accepted and reported as ignored',
  (REDIS_URL) => {
    expect(() => Config.from({ REDIS_URL })).not.toThrow();
    expect(unknownSettings({ REDIS_URL })).toEqual([]);
    expect(removedSettings({ REDIS_URL })).toEqual([
      'REDIS_URL is ignored: the gateway counts requests in PostgreSQL only',
    ]);
  },
);

test('an empty REDIS_URL is not reported', () => {
  expect(removedSettings({ REDIS_URL: '' })).toEqual([]);
});
