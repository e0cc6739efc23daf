import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { poll } from '../../support/poll.js';
import { QuotaDatabase } from '../../support/quota-database.js';
import { TestGateway, type Response, type Key } from '../../support/gateway.js';

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
  // The first run deletes the rows of the real date, which are years old on the database's clock.
  await runDailyJob();
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

/** Sets the wall clock of the gateway. It continues to run from there. */
function moveGateway(ms: number): void {
  const offset = ms - realNow();
  jest.restoreAllMocks();
  jest.spyOn(Date, 'now').mockImplementation(() => realNow() + offset);
}

async function runDailyJob(): Promise<Run> {
  const { body } = await gateway.admin<{ run_id: string }>('POST', '/admin/jobs/daily/run');
  const runs = 'select outcome, counts, started_at from job_runs where run_id = $1';
  const run = async () => (await database.client.query<Run>(runs, [body.run_id])).rows[0]!;
  await until(async () => (await run()).outcome !== 'running');
  return run();
}

const at = (ms: number) => new Date(ms).toISOString();
const codeOf = ({ status, body }: Response) =>
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
/** Returns the requests in usage by day. */
const used = async () => {
  const { rows } = await database.client.query<{ day: string; requests: number }>(
    'select day::text, sum(requests)::int as requests from usage_daily where key_id = $1 group by day order by day',
    [key.id],
  );
  return Object.fromEntries(rows.map(({ day, requests }) => [day, requests]));
};
async function expectUsed(days: Record<string, number>): Promise<void> {
  await poll(used).toEqual(days);
}

describe('clock of the gateway', () => {
  test.each([
    ['30 minutes fast', 1_800_000],
    ['two days slow', -2 * DAY_MS],
  ])('a gateway clock that is %s does not move limits, counts or usage', async (_how, byMs) => {
    expect(await chats(2)).toEqual(['200', '200']);
    moveGateway(NOON + byMs);
    const { headers } = await gateway.chat(key);
    expect(headers.get('x-ratelimit-remaining-day')).toBe('1');
    expect(Number(headers.get('x-ratelimit-reset-day')!.replace('s', ''))).toBeLessThanOrEqual(DAY_MS / 2000);
    expect(await chats(2)).toEqual(['200', '429 rate_limit_exceeded']);
    expect(await counted()).toEqual({ day: 4, month: 4 });
    await expectUsed({ '2030-05-15': 4 });
  });

  test.each([
    ['800 days fast', 800 * DAY_MS],
    ['200 days slow', -200 * DAY_MS],
  ])(
    'a gateway clock that is %s does not make the daily job delete data or report expired keys',
    async (_how, byMs) => {
      expect(await chats(1)).toEqual(['200']);
      await expectUsed({ '2030-05-15': 1 });
      const { rows: before } = await database.client.query('select created_at, id from audit_logs');
      moveGateway(NOON + byMs);
      const run = await runDailyJob();
      expect(run).toMatchObject({ outcome: 'succeeded', started_at: new Date(NOON) });
      expect(Object.keys(run.counts).filter((name) => /dropped|deleted|key_expired/.test(name))).toEqual([]);
      const { rows: after } = await database.client.query('select created_at, id from audit_logs');
      expect(after).toEqual(expect.arrayContaining(before));
      await expectUsed({ '2030-05-15': 1 });
      await gateway.createKey({});
    },
  );

  test('a key expires by the gateway clock, and is served again if the clock is corrected', async () => {
    expect(await chats(1)).toEqual(['200']);
    moveGateway(NOON + 2 * 3_600_000);
    expect(await chats(1)).toEqual(['401 api_key_expired']);
    moveGateway(NOON);
    expect(await chats(1)).toEqual(['200']);
    expect(await counted()).toEqual({ day: 2, month: 2 });
  });
});

describe('clock of the database', () => {
  test('a database clock that moves a day forward and back resets the day once', async () => {
    expect(await chats(3)).toEqual(['200', '200', '200']);
    await database.setNow(NOON + DAY_MS);
    expect(await chats(2)).toEqual(['200', '200']);
    expect(await counted()).toEqual({ day: 2, month: 5 });
    await database.setNow(NOON);
    // The counts of the later day continue, because a clock that moves back by a day does not start a new period.
    expect(await chats(3)).toEqual(['200', '200', '429 rate_limit_exceeded']);
    expect(await counted()).toEqual({ day: 4, month: 7 });
    await expectUsed({ '2030-05-15': 5, '2030-05-16': 2 });
  });

  test('a database clock that moves back by more than a day resets the daily counts', async () => {
    expect(await chats(5)).toEqual(['200', '200', '200', '200', '429 rate_limit_exceeded']);
    await database.setNow(NOON - 2 * DAY_MS);
    expect(await chats(1)).toEqual(['200']);
    expect(await counted()).toEqual({ day: 1, month: 5 });
    await expectUsed({ '2030-05-13': 1, '2030-05-15': 4 });
  });
});
