import { expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Clock } from '../../../../src/platform/clock.js';
import { Config } from '../../../../src/platform/config/config.js';
import { SessionLifetime } from '../../../../src/auth/operators/session-lifetime.service.js';
import { SessionsService } from '../../../../src/auth/operators/sessions.service.js';

test('5000 lookups of invalid cookies take two connections and ten statements', async () => {
  let [under, most, statements] = [0, 0, 0];
  const store = {
    findAndExtend: async () => {
      statements += 1;
      most = Math.max(most, ++under);
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      return new Map();
    },
  };
  const [store_, none] = [store as never, {} as never];
  const sessions = new SessionsService(store_, none, none, none, new SessionLifetime(Config.from({}), new Clock()));
  const looks = Array.from({ length: 5000 }, () => sessions.find(randomBytes(32).toString('base64url')));
  expect(await Promise.all(looks)).toEqual(Array<null>(5000).fill(null));
  expect(most).toBe(2);
  expect(statements).toBe(10);
});
