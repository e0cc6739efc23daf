import { expect, test } from '@jest/globals';
import { FloodWindows } from '../../src/auth/flood.guard.js';

const TTL_MS = 10_000;

function windows() {
  const clock = { now: 0 };
  const counted = new FloodWindows(() => clock.now);
  const hit = (address: string) => counted.increment(address, TTL_MS, 3);
  return { clock, counted, hit };
}

test('requests above the limit are blocked until the window ends', async () => {
  const { clock, hit } = windows();
  for (let at = 1; at <= 3; at++) expect(await hit('a')).toMatchObject({ totalHits: at, isBlocked: false });
  clock.now = 2_500;
  expect(await hit('a')).toEqual({ totalHits: 4, timeToExpire: 8, isBlocked: true, timeToBlockExpire: 8 });
  clock.now = TTL_MS - 1;
  expect(await hit('a')).toMatchObject({ isBlocked: true, timeToBlockExpire: 1 });
  clock.now = TTL_MS;
  expect(await hit('a')).toMatchObject({ totalHits: 1, isBlocked: false });
});

test('each address is counted separately', async () => {
  const { hit } = windows();
  for (let at = 0; at < 5; at++) await hit('a');
  expect(await hit('b')).toMatchObject({ totalHits: 1, isBlocked: false });
});

test('at most 10,000 addresses are stored, and frequent callers are not dropped', async () => {
  const { counted, hit } = windows();
  for (let at = 0; at < 50_000; at++) {
    await hit(`address ${at}`);
    if (at % 100 === 0) await hit('flood');
  }
  expect(counted.size).toBe(10_000);
  expect(await hit('flood')).toMatchObject({ totalHits: 501, isBlocked: true });
});
