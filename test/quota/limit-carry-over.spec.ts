import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { LimitedAdmission } from '../support/limited-admission.js';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);
const MONTH = { period: 'month', amount: 100 };
const june = (day: number, hour = 12) => Date.UTC(2030, 5, day, hour);

let two: LimitedAdmission;

beforeAll(async () => {
  two = await LimitedAdmission.open();
});
beforeEach(() => two.begin(NOON));
afterAll(() => two.close());

const change = (limit: number, assignments: string) =>
  two.database.client.query(`update limits set ${assignments} where id = $1`, [limit]);

describe('carry-over', () => {
  test('unused amounts are carried over, up to the maximum', async () => {
    const limit = await two.add({ amount: 100, carry_over: 150 });
    await two.use(limit, 30, 30);
    await two.database.setNow(NOON + DAY_MS);
    await two.use(limit, 1, 1);
    expect(await two.figures(limit)).toMatchObject({ carried: 70, amount: 170, used: 1 });
    await two.database.setNow(NOON + 5 * DAY_MS);
    await two.use(limit, 1, 1);
    expect(await two.figures(limit)).toMatchObject({ carried: 150, amount: 250, used: 1 });
  });

  test('the time before the start of a limit leaves nothing', async () => {
    const limit = await two.add({ ...MONTH, carry_over: 100, starts_at: new Date(june(1, 0)) });
    await two.database.setNow(june(2));
    await two.use(limit, 1, 1);
    expect(await two.figures(limit)).toMatchObject({ carried: 0, amount: 100 });
  });

  test('a period in which the limit started leaves its whole amount, even if no request came in it', async () => {
    const limit = await two.add({ ...MONTH, carry_over: 1000, starts_at: new Date(NOON + DAY_MS) });
    await two.database.setNow(Date.UTC(2030, 6, 2));
    await two.use(limit, 1, 1);
    expect(await two.figures(limit)).toMatchObject({ carried: 200, amount: 300 });
  });

  test('months in which the limit was disabled leave nothing', async () => {
    const limit = await two.add({ ...MONTH, carry_over: 1000 });
    await change(limit, 'enabled = false');
    await two.database.setNow(Date.UTC(2030, 10, 10));
    await change(limit, 'enabled = true');
    await two.use(limit, 1, 1);
    expect(await two.figures(limit)).toMatchObject({ carried: 0, amount: 100 });
    await two.database.setNow(Date.UTC(2030, 11, 1));
    await two.use(limit, 1, 1);
    expect(await two.figures(limit)).toMatchObject({ carried: 99, amount: 199 });
  });

  test('the time after the end of a limit leaves nothing when the end is moved', async () => {
    const limit = await two.add({ ...MONTH, carry_over: 1000, ends_at: new Date(NOON + DAY_MS) });
    await two.database.setNow(Date.UTC(2030, 7, 10));
    await change(limit, 'ends_at = null');
    await two.use(limit, 1, 1);
    expect(await two.figures(limit)).toMatchObject({ carried: 0, amount: 100 });
  });

  test('a changed amount does not change the remainder of the earlier period', async () => {
    const limit = await two.add({ ...MONTH, carry_over: 1000 });
    await two.use(limit, 90, 90);
    await two.database.setNow(june(1));
    await change(limit, 'amount = 200');
    expect(await two.figures(limit)).toMatchObject({ carried: 10, amount: 210 });
  });

  test('carry-over begins with the period in which it is set, whether or not a request came before', async () => {
    const [used, unused] = [await two.add(MONTH), await two.add(MONTH)];
    await two.database.setNow(june(1));
    await two.use(used, 1, 1);
    for (const limit of [used, unused]) await change(limit, 'carry_over = 1000');
    expect([(await two.figures(used)).carried, (await two.figures(unused)).carried]).toEqual([0, 0]);
    await two.database.setNow(Date.UTC(2030, 6, 1));
    for (const limit of [used, unused]) await two.use(limit, 1, 1);
    expect([(await two.figures(used)).carried, (await two.figures(unused)).carried]).toEqual([99, 100]);
  });
});
