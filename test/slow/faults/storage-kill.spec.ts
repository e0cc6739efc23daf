import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Key } from '../../support/gateway.js';
import { KilledGateway, LIMIT, type Stage } from './killed-gateway.js';

let killed: KilledGateway;
beforeAll(async () => {
  killed = await KilledGateway.open();
});
afterAll(() => killed.close());

/** Expects that the new process continues the counts, and neither counts nor sends an earlier request again. */
async function expectContinues(key: Key, counted: number): Promise<void> {
  const [before, sent] = [await killed.figures(key), killed.sent(key)];
  expect(before.counted).toBe(counted);
  const { status, headers } = await killed.chat(key);
  expect([status, headers.get('x-ratelimit-remaining-month')]).toEqual([200, String(LIMIT - counted - 1)]);
  await killed.untilUsed(key, before.used + 1);
  expect(await killed.figures(key)).toEqual({ counted: counted + 1, used: before.used + 1 });
  expect(killed.sent(key)).toBe(sent + 1);
}

describe('restart after SIGKILL with requests in every stage', () => {
  beforeAll(() => killed.killInEveryStage(), 60_000);
  const figures = (stage: Stage) => killed.figures(killed.keys[stage]);

  test('a request that is killed during admission is never sent and counts at most once', async () => {
    const key = killed.keys.admitting;
    const { counted, used } = await figures('admitting');
    expect([killed.outcomes.admitting, used, killed.sent(key)]).toEqual(['cut', 0, 0]);
    expect([0, 1]).toContain(counted);
    await expectContinues(key, counted);
  });

  test('a request that is killed after admission stays counted and is never sent', async () => {
    const key = killed.keys.waiting;
    expect([killed.outcomes.waiting, killed.sent(key)]).toEqual(['cut', 0]);
    expect(await figures('waiting')).toEqual({ counted: 1, used: 0 });
    await expectContinues(key, 1);
  });

  test('a stream whose gateway is killed ends without its last event and stays counted, without its usage', async () => {
    const key = killed.keys.streaming;
    expect([killed.outcomes.streaming, killed.sent(key)]).toEqual(['cut', 1]);
    expect(await figures('streaming')).toEqual({ counted: 1, used: 0 });
    await expectContinues(key, 1);
  });

  test('a usage batch that is being written during the kill is stored completely and once', async () => {
    const key = killed.keys.writing;
    expect(await figures('writing')).toEqual({ counted: 1, used: 1 });
    expect(await killed.tokens(key)).toBe(killed.tokensEach);
    await expectContinues(key, 1);
  });

  test('a request whose usage is not yet being written stays counted, without its usage', async () => {
    expect(await figures('unwritten')).toEqual({ counted: 1, used: 0 });
    await expectContinues(killed.keys.unwritten, 1);
  });

  test('an admin change that is killed leaves no change, event or audit row, and can be repeated', async () => {
    const key = killed.keys.changing;
    expect(killed.outcomes.changing).toBe('cut');
    expect(await killed.traces(key)).toEqual({ status: 'active', events: 0, audited: 0 });
    await expectContinues(key, 0);
    expect((await killed.suspend(key)).status).toBe(200);
    expect(await killed.traces(key)).toEqual({ status: 'suspended', events: 1, audited: 1 });
    expect((await killed.chat(key)).status).toBe(403);
  });
});

describe('restart after SIGKILL during a database outage', () => {
  beforeAll(() => killed.killWithoutDatabase(), 60_000);

  test('requests that were served during the outage are lost, but earlier counts are not', async () => {
    const key = killed.keys.fromMemory;
    expect(await killed.figures(key)).toEqual({ counted: 1, used: 1 });
    await expectContinues(key, 1);
  });

  test('a usage batch that the server aborted is not stored in part, and its request stays counted', async () => {
    const key = killed.keys.aborted;
    expect(await killed.figures(key)).toEqual({ counted: 1, used: 0 });
    expect(await killed.tokens(key)).toBe(0);
    await expectContinues(key, 1);
  });
});
