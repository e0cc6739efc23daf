import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { LimitedAdmission, overIn, reservedIn } from '../support/limited-admission.js';
import { wrongHolds } from '../support/limit-rows.js';
import { until } from '../support/until.js';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);

let two: LimitedAdmission;

beforeAll(async () => {
  two = await LimitedAdmission.open();
});
beforeEach(() => two.begin(NOON));
afterAll(() => two.close());

describe('periods', () => {
  test.each([
    ['minute', 'UTC', Date.UTC(2030, 4, 15, 12, 1)],
    ['hour', 'UTC', Date.UTC(2030, 4, 15, 13)],
    ['day', 'UTC', Date.UTC(2030, 4, 16)],
    ['day', 'Asia/Kolkata', Date.UTC(2030, 4, 15, 18, 30)],
    ['week', 'UTC', Date.UTC(2030, 4, 20)],
    ['month', 'UTC', Date.UTC(2030, 5, 1)],
    ['month', 'America/New_York', Date.UTC(2030, 5, 1, 4)],
  ])('a limit per %s in %s begins again when the period ends, and not before', async (period, zone, endMs) => {
    const limit = await two.add({ period, zone, amount: 100 });
    await two.use(limit, 100, 100);
    await two.database.setNow(endMs - 1);
    expect(overIn(await two.admit(await two.claim([limit, 1])))).toMatchObject({ used: 100, untilMs: endMs });
    await two.database.setNow(endMs);
    expect((await two.admit(await two.claim([limit, 100]))).kind).toBe('admitted');
    expect(await two.figures(limit)).toMatchObject({ used: 0, held: 100, period: endMs * 1000 });
  });

  test('a day with a change to summer time ends an hour earlier', async () => {
    await two.database.setNow(Date.UTC(2030, 2, 31, 0, 30));
    const limit = await two.add({ period: 'day', zone: 'Europe/Paris', amount: 1 });
    expect(overIn(await two.admit(await two.claim([limit, 2]))).untilMs).toBe(Date.UTC(2030, 2, 31, 22));
  });

  test('a total limit never begins again', async () => {
    const limit = await two.add({ period: 'total', amount: 100 });
    await two.use(limit, 100, 100);
    await two.database.setNow(NOON + 4000 * DAY_MS);
    expect(overIn(await two.admit(await two.claim([limit, 1])))).toMatchObject({ used: 100, untilMs: null });
  });

  test('a reservation of a period that has ended is not settled in the next one', async () => {
    const limit = await two.add({ amount: 100 });
    const reserved = reservedIn(await two.admit(await two.claim([limit, 100])));
    await two.database.setNow(NOON + DAY_MS);
    await two.use(limit, 30, 30);
    two.admissions[0]!.settle(reserved, [90]);
    await two.use(limit, 1, 1, 1);
    await until(async () => (await wrongHolds(two.database.client)).length === 0);
    expect(await two.figures(limit)).toMatchObject({ used: 31, held: 0 });
  });

  test('a clock that is set back into the previous period keeps the newer one', async () => {
    await two.database.setNow(Date.UTC(2030, 4, 16, 0, 0, 1));
    const limit = await two.add({ amount: 100 });
    await two.use(limit, 60, 60);
    await two.database.setNow(Date.UTC(2030, 4, 15, 23, 59, 59));
    expect(overIn(await two.admit(await two.claim([limit, 50])))).toMatchObject({ used: 60 });
    await two.database.setNow(Date.UTC(2030, 4, 16, 0, 0, 2));
    expect(overIn(await two.admit(await two.claim([limit, 50])))).toMatchObject({ used: 60 });
  });

  test('a rolling period frees usage in steps, when its part of the period has ended', async () => {
    const limit = await two.add({ period: 'rolling_5h', amount: 100 });
    await two.use(limit, 60, 60);
    await two.database.setNow(NOON + 3 * 3_600_000);
    await two.use(limit, 40, 40);
    expect(overIn(await two.admit(await two.claim([limit, 10])))).toMatchObject({
      used: 100,
      untilMs: Date.UTC(2030, 4, 15, 17, 5),
    });
    await two.database.setNow(Date.UTC(2030, 4, 15, 17, 4, 59));
    const blocked = await two.admit(await two.claim([limit, 10]));
    await two.database.setNow(Date.UTC(2030, 4, 15, 17, 5));
    const open = await two.admit(await two.claim([limit, 10]));
    expect([blocked.kind, open.kind]).toEqual(['over-limit', 'admitted']);
    expect(await two.figures(limit)).toMatchObject({ used: 40, held: 10 });
    await two.database.setNow(NOON + 30 * 3_600_000);
    expect((await two.admit(await two.claim([limit, 80]))).kind).toBe('admitted');
    expect((await two.figures(limit)).used).toBe(0);
  });

  test('a top-up raises the amount until it expires', async () => {
    const limit = await two.add({ period: 'month', amount: 100 });
    await two.database.client.query(
      `insert into limit_grants (limit_id, amount, starts_at, expires_at, created_by) values ($1, 50, $2, $3, 'a test')`,
      [limit, new Date(NOON), new Date(NOON + DAY_MS)],
    );
    await two.use(limit, 140, 140);
    await two.database.setNow(NOON + DAY_MS - 1);
    expect(overIn(await two.admit(await two.claim([limit, 11])))).toMatchObject({ amount: 150 });
    await two.database.setNow(NOON + DAY_MS);
    expect(overIn(await two.admit(await two.claim([limit, 1])))).toMatchObject({ amount: 100, used: 140 });
  });
});

describe('thresholds', () => {
  const alerts = async (limitId: number) => {
    const { rows } = await two.database.client.query<{ threshold: number }>(
      'select threshold from limit_alerts where limit_id = $1 order by period, threshold',
      [limitId],
    );
    const events = await two.database.client.query<{ threshold: number }>(
      `select (data ->> 'threshold')::int as threshold from events where (data ->> 'limit_id')::bigint = $1 order by created_at, threshold`,
      [limitId],
    );
    expect(events.rows.map(({ threshold }) => threshold)).toEqual(rows.map(({ threshold }) => threshold));
    return rows.map(({ threshold }) => threshold);
  };

  test('each threshold fires once per period, in the transaction of the settlement', async () => {
    const limit = await two.add({ amount: 100, thresholds: [50, 80, 100] });
    await two.use(limit, 49, 49);
    expect(await alerts(limit)).toEqual([]);
    await two.use(limit, 1, 1);
    expect(await alerts(limit)).toEqual([50]);
    await two.use(limit, 50, 50);
    expect(await alerts(limit)).toEqual([50, 80, 100]);
    await two.database.client.query('update limits set amount = 200 where id = $1', [limit]);
    await two.use(limit, 100, 100);
    expect(await alerts(limit)).toEqual([50, 80, 100]);
    await two.database.setNow(NOON + DAY_MS);
    await two.use(limit, 120, 120);
    expect(await alerts(limit)).toEqual([50, 80, 100, 50]);
  });

  test('thresholds of a request limit fire at admission', async () => {
    const limit = await two.add({ measure: 'requests', amount: 2, thresholds: [50, 100] });
    await two.admit(await two.claim([limit, 1]));
    expect(await alerts(limit)).toEqual([50]);
    await two.admit(await two.claim([limit, 1]));
    expect(await alerts(limit)).toEqual([50, 100]);
  });
});
