import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { until } from '../support/until.js';
import { QuotaDatabase } from '../support/quota-database.js';
import { TestGateway, type Answer, type Key } from '../support/gateway.js';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);
const LIMIT = 4;
const realNow = Date.now.bind(Date);

interface Run {
  readonly outcome: string;
  readonly counts: Record<string, number>;
  readonly started_at: Date;
}

let database: QuotaDatabase;
let gateway: TestGateway;
let key: Key;

beforeAll(async () => {
  database = await QuotaDatabase.create();
  await database.setNow(NOON);
  moveGateway(NOON);
  gateway = await TestGateway.start({}, { databaseUrl: database.url });
});
beforeEach(async () => {
  await database.setNow(NOON);
  moveGateway(NOON);
  key = await gateway.createKey({ rpd_limit: LIMIT, monthly_limit: 100, expires_at: at(NOON + 3_600_000) });
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

/** The wall clock of the gateway's process: it stands at this moment and goes on from there. */
function moveGateway(ms: number): void {
  const offset = ms - realNow();
  jest.restoreAllMocks();
  jest.spyOn(Date, 'now').mockImplementation(() => realNow() + offset);
}

const at = (ms: number) => new Date(ms).toISOString();
const codeOf = ({ status, body }: Answer) =>
  `${status} ${(body.error as { code: string } | undefined)?.code ?? ''}`.trimEnd();
const chats = async (count: number) => {
  const codes = [];
  for (let i = 0; i < count; i++) codes.push(codeOf(await gateway.chat(key)));
  return codes;
};
const counted = async () => {
  const { dayUsed, monthUsed } = await database.stored(key.id);
  return { day: dayUsed, month: monthUsed };
};
/** Requests by day, as usage has them. */
const used = async () => {
  const { rows } = await database.client.query<{ day: string; requests: number }>(
    'select day::text, sum(requests)::int as requests from usage_daily where key_id = $1 group by day order by day',
    [key.id],
  );
  return Object.fromEntries(rows.map(({ day, requests }) => [day, requests]));
};
async function expectUsed(days: Record<string, number>): Promise<void> {
  const whole = async () => JSON.stringify(await used()) === JSON.stringify(days);
  await until(whole, 5000).catch(() => undefined);
  expect(await used()).toEqual(days);
}

describe("the gateway's clock", () => {
  test.each([
    ['30 minutes forward', 1_800_000],
    ['two days back', -2 * DAY_MS],
  ])('moved %s moves no window: limits, counts and usage stay where the database puts them', async (_how, byMs) => {
    expect(await chats(2)).toEqual(['200', '200']);
    moveGateway(NOON + byMs);
    const answer = await gateway.chat(key);
    expect(answer.headers.get('x-ratelimit-remaining-day')).toBe('1');
    expect(Number(answer.headers.get('x-ratelimit-reset-day')!.replace('s', ''))).toBeLessThanOrEqual(DAY_MS / 2000);
    expect(await chats(2)).toEqual(['200', '429 rate_limit_exceeded']);
    expect(await counted()).toEqual({ day: 4, month: 4 });
    await expectUsed({ '2030-05-15': 4 });
  });

  test.each([
    ['800 days forward', 800 * DAY_MS],
    ['200 days back', -200 * DAY_MS],
  ])('moved %s lets the daily job take nothing away and tell of no end that has not come', async (_how, byMs) => {
    expect(await chats(1)).toEqual(['200']);
    await expectUsed({ '2030-05-15': 1 });
    const { rows: before } = await database.client.query('select created_at, id from audit_logs');
    moveGateway(NOON + byMs);
    const { body } = await gateway.admin<{ run_id: string }>('POST', '/admin/jobs/daily/run');
    const runs = 'select outcome, counts, started_at from job_runs where run_id = $1';
    const run = async () => (await database.client.query<Run>(runs, [body.run_id])).rows[0]!;
    await until(async () => (await run()).outcome !== 'running', 10_000);
    expect(await run()).toMatchObject({ outcome: 'succeeded', started_at: new Date(NOON) });
    expect(Object.keys((await run()).counts).filter((name) => /dropped|deleted|key_expired/.test(name))).toEqual([]);
    const { rows: after } = await database.client.query('select created_at, id from audit_logs');
    expect(after).toEqual(expect.arrayContaining(before));
    await expectUsed({ '2030-05-15': 1 });
    await gateway.createKey({});
  });

  test('moved past the end of a key lets the key end; moved back it is served again', async () => {
    expect(await chats(1)).toEqual(['200']);
    moveGateway(NOON + 2 * 3_600_000);
    expect(await chats(1)).toEqual(['401 api_key_expired']);
    moveGateway(NOON);
    expect(await chats(1)).toEqual(['200']);
    expect(await counted()).toEqual({ day: 2, month: 2 });
  });
});

describe("the database's clock", () => {
  test('moved a day forward and back again: the day begins anew once, and each request is counted once', async () => {
    expect(await chats(3)).toEqual(['200', '200', '200']);
    await database.setNow(NOON + DAY_MS);
    expect(await chats(2)).toEqual(['200', '200']);
    expect(await counted()).toEqual({ day: 2, month: 5 });
    await database.setNow(NOON);
    // Of the day that the clock has been at: put back by one, a window goes on rather than begin anew.
    expect(await chats(3)).toEqual(['200', '200', '429 rate_limit_exceeded']);
    expect(await counted()).toEqual({ day: 4, month: 7 });
    await expectUsed({ '2030-05-15': 5, '2030-05-16': 2 });
  });

  test('moved further back than a day: the day begins anew, so that no key is shut out until it has caught up', async () => {
    expect(await chats(5)).toEqual(['200', '200', '200', '200', '429 rate_limit_exceeded']);
    await database.setNow(NOON - 2 * DAY_MS);
    expect(await chats(1)).toEqual(['200']);
    expect(await counted()).toEqual({ day: 1, month: 5 });
    await expectUsed({ '2030-05-13': 1, '2030-05-15': 4 });
  });
});
