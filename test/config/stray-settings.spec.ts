import { expect, test } from 'vitest';
import { nearestSetting, strayNames } from '../../src/config/stray-settings.rules.js';

test("names that begin as the gateway's own and are no settings are stray; others are none of its business", () => {
  const env = { GW_DATABASE_POOL: '5', GW_DATABSE_POOL: '5', DATABSE_URL: 'x', PATH: '/bin' };
  expect(strayNames(env)).toEqual(['GW_DATABSE_POOL']);
});

test.each([
  ['GW_DATABSE_POOL', 'GW_DATABASE_POOL'],
  ['GW_DATABASE_POOLS', 'GW_DATABASE_POOL'],
  ['GW_UPSTREAM_BASE_ULR', 'GW_UPSTREAM_BASE_URL'],
  ['GW_PORT', 'PORT'],
  ['GW_DATABASE_URL', 'DATABASE_URL'],
  ['GW_COLOUR_OF_THE_DASHBOARD', null],
])('%s was meant to be %s', (name, nearest) => {
  expect(nearestSetting(name)).toBe(nearest);
});
