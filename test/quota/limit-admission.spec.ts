import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { LimitedAdmission, overIn, rejectionIn, reservedIn } from '../support/limited-admission.js';
import { wrongHolds } from '../support/limit-rows.js';
import { until } from '../support/until.js';

/** A billion dollars. */
const MOST = 10n ** 18n;
const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);

let two: LimitedAdmission;

beforeAll(async () => {
  two = await LimitedAdmission.open();
});
beforeEach(() => two.begin(NOON));
afterAll(() => two.close());

describe('a request under limits', () => {
  test('a request reserves its estimate and settles its usage', async () => {
    const limit = await two.add();
    const reserved = reservedIn(await two.admit(await two.claim([limit, 300])));
    expect(await two.figures(limit)).toMatchObject({ used: 0, held: 300 });
    two.admissions[0]!.settle(reserved, [120]);
    await until(async () => (await two.figures(limit)).used === 120);
    expect(await two.figures(limit)).toMatchObject({ used: 120, held: 0 });
  });

  test('a request is compared with an amount above 2^53 to the nano-dollar', async () => {
    const limit = await two.add({ measure: 'cost', period: 'total', amount: MOST });
    await two.database.client.query('update limit_counters set used = $2 where limit_id = $1', [limit, MOST - 2n]);
    expect(rejectionIn(await two.admit(await two.claim([limit, 3])))).toMatchObject({ amount: MOST, used: MOST - 2n });
    expect((await two.admit(await two.claim([limit, 2]))).kind).toBe('admitted');
    expect(rejectionIn(await two.admit(await two.claim([limit, 1])))).toMatchObject({ used: MOST - 2n, held: 2n });
  });

  test('a request is not counted anywhere if one of its limits rejects it', async () => {
    const [wide, tight] = [await two.add(), await two.add({ amount: 99 })];
    const verdict = await two.admit(await two.claim([wide, 100], [tight, 100]));
    expect(overIn(verdict)).toEqual({
      limitId: tight,
      asked: 100,
      amount: 99,
      used: 0,
      held: 0,
      possible: 100n,
      untilMs: Date.UTC(2030, 4, 16),
    });
    expect(await two.figures(wide)).toMatchObject({ used: 0, held: 0 });
    expect((await two.database.stored(two.key.id)).monthUsed).toBe(0);
  });

  test('a request without a claim is admitted although a limit is used up, as for a model that costs nothing', async () => {
    const [cost, requests] = [await two.add({ measure: 'cost', amount: 0 }), await two.add({ measure: 'requests' })];
    expect(overIn(await two.admit(await two.claim([cost, 1], [requests, 1])))).toMatchObject({ limitId: cost });
    expect((await two.admit(await two.claim([requests, 1]))).kind).toBe('admitted');
    const verdicts = await Promise.all([two.admit(await two.claim()), two.admit(await two.claim([requests, 1]))]);
    expect(verdicts.map(({ kind }) => kind)).toEqual(['admitted', 'admitted']);
    expect(await two.figures(requests)).toMatchObject({ used: 2 });
    expect((await two.database.stored(two.key.id)).monthUsed).toBe(3);
  });

  test('a request is not counted under any limit if its key rejects it', async () => {
    const limit = await two.add();
    const full = await two.database.addKey({ rpmLimit: 1 });
    const claims = await two.claim([limit, 10]);
    expect((await two.admissions[0]!.admit(full, claims)).kind).toBe('admitted');
    expect(await two.admissions[0]!.admit(full, claims)).toMatchObject({ kind: 'rejected', limit: 'minute' });
    expect((await two.figures(limit)).held).toBe(10);
  });

  test('a request counts immediately under a request limit, and needs no settlement', async () => {
    const limit = await two.add({ measure: 'requests', amount: 2 });
    const claims = await two.claim([limit, 1]);
    const verdicts = await Promise.all([two.admit(claims), two.admit(claims), two.admit(claims)]);
    expect(verdicts.map(({ kind }) => kind)).toEqual(['admitted', 'admitted', 'over-limit']);
    expect(await two.figures(limit)).toMatchObject({ used: 2, held: 0 });
  });

  test('a request frees its place under a limit of concurrent requests when it ends', async () => {
    const limit = await two.add({ measure: 'concurrent_requests', period: 'total', amount: 1 });
    const claims = await two.claim([limit, 1]);
    const reserved = reservedIn(await two.admit(claims));
    expect(overIn(await two.admit(claims))).toMatchObject({ used: 0, held: 1, untilMs: null });
    two.admissions[0]!.settle(reserved, [0]);
    await until(async () => (await two.figures(limit)).held === 0);
    expect((await two.admit(claims)).kind).toBe('admitted');
  });

  test('requests are admitted in order of arrival, and a large request does not delay smaller ones', async () => {
    const limit = await two.add({ amount: 100 });
    const sizes = [60, 50, 40, 1];
    const all = await Promise.all(sizes.map((size) => two.claim([limit, size])));
    const verdicts = await Promise.all(all.map((claims) => two.admit(claims)));
    expect(verdicts.map(({ kind }) => kind)).toEqual(['admitted', 'over-limit', 'admitted', 'over-limit']);
    expect((await two.figures(limit)).held).toBe(100);
  });

  test('requests that run at the same time cannot use more than twice the amount, and a request that runs alone can', async () => {
    const limit = await two.add({ amount: 100 });
    const large = await two.claim([limit, 10, 500]);
    const alone = reservedIn(await two.admit(large));
    expect(rejectionIn(await two.admit(await two.claim([limit, 10, 1])))).toMatchObject({ held: 10n, possible: 521n });
    expect((await two.admit(await two.claim([limit, 10, 0]))).kind).toBe('admitted');
    two.admissions[0]!.settle(alone, [10]);
    await until(async () => (await two.figures(limit)).used === 10);
    expect(rejectionIn(await two.admit(large))).toMatchObject({ used: 10n, held: 10n, possible: 530n });
    expect((await two.admit(await two.claim([limit, 10, 170]))).kind).toBe('admitted');
    expect(rejectionIn(await two.admit(await two.claim([limit, 1, 1])))).toMatchObject({ possible: 202n });
  });

  test.each(['one process', 'two processes'])(
    'a burst over %s cannot use more than twice the amount',
    async (processes) => {
      const limit = await two.add({ amount: 100 });
      const claims = await two.claim([limit, 5, 35]);
      const burst = Array.from({ length: 20 }, (_, i) => two.admit(claims, processes === 'one process' ? 0 : i % 2));
      const verdicts = await Promise.all(burst);
      expect(verdicts.filter(({ kind }) => kind === 'admitted')).toHaveLength(5);
      expect(await wrongHolds(two.database.client)).toEqual([]);
    },
  );

  test('a request is decided together with the requests of keys that have no limits', async () => {
    const limit = await two.add({ amount: 5 });
    const other = await two.database.addKey({ rpdLimit: 3 });
    const [claims, none] = [await two.claim([limit, 5]), await two.claim()];
    const verdicts = await Promise.all([
      two.admissions[0]!.admit(other, none),
      two.admit(claims),
      two.admissions[0]!.admit(other, none),
      two.admit(claims),
      two.admissions[0]!.admit(other, none),
      two.admissions[0]!.admit(other, none),
      two.admit(none),
    ]);
    expect(verdicts.map(({ kind }) => kind)).toEqual([
      'admitted',
      'admitted',
      'admitted',
      'over-limit',
      'admitted',
      'rejected',
      'admitted',
    ]);
    expect((await two.database.stored(two.key.id)).dayUsed).toBe(2);
    expect((await two.database.stored(other.id)).dayUsed).toBe(3);
  });

  test('a request passes a limit that only observes, and is counted', async () => {
    const limit = await two.add({ amount: 10, mode: 'observe' });
    const reserved = reservedIn(await two.admit(await two.claim([limit, 500])));
    two.admissions[0]!.settle(reserved, [400]);
    await until(async () => (await two.figures(limit)).used === 400);
    expect((await two.admit(await two.claim([limit, 500]))).kind).toBe('admitted');
  });

  test.each([
    ['has not begun', { starts_at: new Date(NOON + 60_000) }],
    ['has ended', { ends_at: new Date(NOON) }],
  ])('a request is not counted under a limit that %s', async (_name, times) => {
    const limit = await two.add({ amount: 1, ...times });
    const reserved = reservedIn(await two.admit(await two.claim([limit, 500])));
    expect(reserved).toMatchObject([{ limitId: limit, period: null }]);
    two.admissions[0]!.settle(reserved, [400]);
    expect(await two.figures(limit)).toMatchObject({ used: 0, held: 0 });
  });

  test('requests count from the start of a limit that begins in the middle of a period', async () => {
    const limit = await two.add({ starts_at: new Date(NOON + 60_000) });
    await two.database.setNow(NOON + 60_000);
    await two.use(limit, 10, 10);
    expect(await two.figures(limit)).toMatchObject({ used: 10, held: 0 });
  });
});

describe('the set of limits', () => {
  test('a request with claims of an older set is stale, and counts nowhere', async () => {
    const old = await two.claim();
    const limit = await two.add();
    for (const admission of two.admissions)
      expect(await admission.admit(two.key, old)).toEqual({ kind: 'stale-limits' });
    expect((await two.database.stored(two.key.id)).monthUsed).toBe(0);
    const claims = await two.claim([limit, 1]);
    await two.database.client.query('update limits set deleted_at = now() where id = $1', [limit]);
    for (const admission of two.admissions)
      expect(await admission.admit(two.key, claims)).toEqual({ kind: 'stale-limits' });
    expect((await two.database.stored(two.key.id)).monthUsed).toBe(0);
  });

  test('a changed amount applies to the next request of every process, with the same claims', async () => {
    const limit = await two.add({ amount: 100 });
    const claims = await two.claim([limit, 60]);
    expect((await two.admit(claims, 0)).kind).toBe('admitted');
    expect((await two.admit(claims, 1)).kind).toBe('over-limit');
    await two.database.client.query('update limits set amount = 120 where id = $1', [limit]);
    expect((await two.admit(claims, 1)).kind).toBe('admitted');
    await two.database.client.query('update limits set amount = 119 where id = $1', [limit]);
    expect((await two.admit(await two.claim([limit, 1]), 0)).kind).toBe('over-limit');
  });

  test('a deleted limit leaves nothing reserved, and a settlement changes nothing', async () => {
    const limit = await two.add();
    const reserved = reservedIn(await two.admit(await two.claim([limit, 300])));
    await two.database.client.query('update limits set deleted_at = now() where id = $1', [limit]);
    two.admissions[0]!.settle(reserved, [100]);
    const other = await two.add();
    await two.use(other, 1, 1);
    expect((await two.database.client.query('select from limit_holds where limit_id = $1', [limit])).rowCount).toBe(0);
  });

  test.each([['scope'], ['measure'], ['period'], ['zone']])('the %s of a limit cannot change', async (column) => {
    const limit = await two.add({ measure: 'tokens', period: 'day', scope: 'tag', scope_tag: 'a' });
    const value = { scope: 'account', measure: 'cost', period: 'week', zone: 'Europe/Paris' }[column];
    const more = column === 'scope' ? ', scope_tag = null' : '';
    await expect(
      two.database.client.query(`update limits set ${column} = $2${more} where id = $1`, [limit, value]),
    ).rejects.toThrow('cannot change');
  });
});

describe('rows of limits that another session locks', () => {
  async function lock(limitId: number): Promise<Client> {
    const client = new Client({ connectionString: two.database.url });
    await client.connect();
    await client.query('begin');
    await client.query('select from limit_counters where limit_id = $1 for update', [limitId]);
    return client;
  }

  test('locked rows delay neither the requests nor the settlements of other limits', async () => {
    const [locked, free] = [await two.add(), await two.add()];
    const [first, second] = [await two.claim([locked, 10]), await two.claim([free, 10])];
    const reserved = [reservedIn(await two.admit(first)), reservedIn(await two.admit(second))];
    const holder = await lock(locked);
    const other = await two.database.addKey();
    two.admissions[0]!.settle([...reserved[0]!, ...reserved[1]!], [7, 8]);
    await until(async () => (await two.figures(free)).used === 8);
    const refused = two.admit(first).catch((error: { code: string }) => error.code);
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => two.admissions[0]!.admit(other, second)));
    expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['admitted']));
    expect(await refused).toBe('service_unavailable');
    for (let i = 0; i < 5; i++) expect((await two.admissions[0]!.admit(other, second)).kind).toBe('admitted');
    await holder.query('commit');
    await holder.end();
    await until(async () => (await two.figures(locked)).used === 7);
    expect(await two.figures(locked)).toMatchObject({ used: 7, held: 0 });
  });
});
