import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Key } from '../support/gateway.js';
import { KilledGateway, LIMIT, type Stage } from './killed-gateway.js';

let killed: KilledGateway;
beforeAll(async () => {
  killed = await KilledGateway.open();
}, 60_000);
afterAll(() => killed.close());

/** The process that comes after counts on from what was counted, and neither counts nor sends anything of before again. */
async function expectGoesOn(key: Key, counted: number): Promise<void> {
  const [before, sent] = [await killed.figures(key), killed.sent(key)];
  expect(before.counted).toBe(counted);
  const { status, headers } = await killed.chat(key);
  expect([status, headers.get('x-ratelimit-remaining-month')]).toEqual([200, String(LIMIT - counted - 1)]);
  await killed.untilUsed(key, before.used + 1);
  expect(await killed.figures(key)).toEqual({ counted: counted + 1, used: before.used + 1 });
  expect(killed.sent(key)).toBe(sent + 1);
}

describe('a process that is killed (SIGKILL) while it has requests in every stage, and started again', () => {
  beforeAll(() => killed.killInEveryStage(), 60_000);
  const figures = (stage: Stage) => killed.figures(killed.keys[stage]);

  test('before the answer to its admission: the client is cut, nothing goes upstream, it counts once at most', async () => {
    const key = killed.keys.asking;
    const { counted, used } = await figures('asking');
    expect([killed.outcomes.asking, used, killed.sent(key)]).toEqual(['cut', 0, 0]);
    expect([0, 1]).toContain(counted);
    await expectGoesOn(key, counted);
  });

  test('between admission and upstream: the client is cut, it stays counted, and is never sent', async () => {
    const key = killed.keys.waiting;
    expect([killed.outcomes.waiting, killed.sent(key)]).toEqual(['cut', 0]);
    expect(await figures('waiting')).toEqual({ counted: 1, used: 0 });
    await expectGoesOn(key, 1);
  });

  test('in mid-stream: what had come ends as a cut answer, it stays counted, its tokens are lost', async () => {
    const key = killed.keys.streaming;
    expect([killed.outcomes.streaming, killed.sent(key)]).toEqual(['cut', 1]);
    expect(await figures('streaming')).toEqual({ counted: 1, used: 0 });
    await expectGoesOn(key, 1);
  });

  test('in the middle of a batch of usage: the batch is stored whole, once', async () => {
    const key = killed.keys.writing;
    expect(await figures('writing')).toEqual({ counted: 1, used: 1 });
    expect(await killed.tokens(key)).toBe(killed.tokensEach);
    await expectGoesOn(key, 1);
  });

  test('after the answer, before its usage is written: it stays counted, its usage is lost', async () => {
    expect(await figures('unwritten')).toEqual({ counted: 1, used: 0 });
    await expectGoesOn(killed.keys.unwritten, 1);
  });

  test('in the middle of an admin change: neither change, event nor audit row is there, and it can be made again', async () => {
    const key = killed.keys.changing;
    expect(killed.outcomes.changing).toBe('cut');
    expect(await killed.traces(key)).toEqual({ status: 'active', events: 0, audited: 0 });
    await expectGoesOn(key, 0);
    expect((await killed.suspend(key)).status).toBe(200);
    expect(await killed.traces(key)).toEqual({ status: 'suspended', events: 1, audited: 1 });
    expect((await killed.chat(key)).status).toBe(403);
  });
});

describe('a process that is killed while its database is away, and started again', () => {
  beforeAll(() => killed.killWithoutDatabase(), 60_000);

  test('the two requests that it had served from memory are lost, what was counted before is not', async () => {
    const key = killed.keys.fromMemory;
    expect(await killed.figures(key)).toEqual({ counted: 1, used: 1 });
    await expectGoesOn(key, 1);
  });

  test('a batch of usage that the server gave up is not there in part: its request stays counted, its usage is lost', async () => {
    const key = killed.keys.givenUp;
    expect(await killed.figures(key)).toEqual({ counted: 1, used: 0 });
    expect(await killed.tokens(key)).toBe(0);
    await expectGoesOn(key, 1);
  });
});
