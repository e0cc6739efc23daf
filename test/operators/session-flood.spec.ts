import { expect, test } from 'vitest';
import { randomBytes } from 'node:crypto';
import { Clock } from '../../src/clock/clock.js';
import { SessionsService } from '../../src/operators/sessions.service.js';

test('made-up cookies by the hundred ask the database two at a time, and each is answered', async () => {
  let [under, most] = [0, 0];
  const store = {
    find: async () => {
      most = Math.max(most, ++under);
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      return null;
    },
  };
  const [store_, none] = [store as never, {} as never];
  const sessions = new SessionsService(store_, none, none, none, new Clock());
  const looks = Array.from({ length: 500 }, () => sessions.find(randomBytes(32).toString('base64url')));
  expect(await Promise.all(looks)).toEqual(Array<null>(500).fill(null));
  expect(most).toBe(2);
});
