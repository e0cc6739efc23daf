import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { monthOf } from '../../src/quota/utc-windows.rules.js';
import { SchedulerDatabase } from './scheduler-database.js';

interface Event {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

const MORNING = '2027-01-31T03:00:00.000Z';

let db: SchedulerDatabase;
beforeAll(async () => {
  db = await SchedulerDatabase.create();
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.put(MORNING);
  for (const table of ['api_keys', 'usage_monthly', 'event_once', 'events', 'notifications']) {
    await db.query(`delete from ${table}`);
  }
});

const sendEvents = () => db.carryOut(db.keyEvents);
const events = () => db.query<Event>('select type, data from events order by type');
const types = async () => (await events()).map(({ type }) => type);
const used = (keyId: string, requests: number, moment = MORNING) =>
  db.query('update key_quota set month = $2, month_count = $3 where key_id = $1', [
    keyId,
    monthOf(Date.parse(moment)),
    requests,
  ]);
const spent = (keyId: string, input: number, output: number, moment = MORNING) =>
  db.query(
    `insert into usage_monthly (key_id, month, input_tokens, output_tokens) values ($1, $2, $3, $4)
     on conflict (key_id, month) do update set input_tokens = $3, output_tokens = $4`,
    [keyId, monthOf(Date.parse(moment)), input, output],
  );

describe('daily key events', () => {
  test("events derive from a key's limits and stored usage, and are sent once", async () => {
    const id = await db.key({ name: 'Bulk', monthly_limit: 10, monthly_token_limit: 100, expires_at: '2027-02-01' });
    await used(id, 8);
    await spent(id, 60, 40);
    const first = { key_expiring_soon: 1, key_quota_warning: 1, key_token_quota_exceeded: 1 };
    expect(await sendEvents()).toEqual({ keys_looked_at: 1, ...first });
    expect(await sendEvents()).toEqual({ keys_looked_at: 1 });
    const name = { key_id: id, key_name: 'Bulk', status: 'active' };
    expect(await events()).toEqual([
      { type: 'key_expiring_soon', data: { ...name, expires_at: '2027-02-01T00:00:00.000Z' } },
      { type: 'key_quota_warning', data: { ...name, limit: 10, used: 8, percent: 80, month: '2027-01' } },
      { type: 'key_token_quota_exceeded', data: { ...name, limit: 100, used: 100, percent: 100, month: '2027-01' } },
    ]);
  });

  test('additional tokens count toward the token quota only of a key that counts all tokens', async () => {
    const counts = { specification: {}, all: { key_token_quota_exceeded: 1 } };
    for (const [token_counting, sent] of Object.entries(counts)) {
      const id = await db.key({ monthly_token_limit: 100 });
      await db.query('update api_keys set token_counting = $2 where id = $1', [id, token_counting]);
      await spent(id, 20, 40);
      await db.query('update usage_monthly set additional_tokens = 40 where key_id = $1', [id]);
      expect(await sendEvents()).toMatchObject(sent);
    }
    expect(await events()).toMatchObject([{ type: 'key_token_quota_exceeded', data: { limit: 100, used: 100 } }]);
  });

  test('concurrent jobs write each event once', async () => {
    for (let i = 0; i < 20; i++) await used(await db.key({ monthly_limit: 10 }), 10);
    const counts = await Promise.all([sendEvents(), sendEvents(), sendEvents()]);
    expect(counts.reduce((sum, { key_quota_exceeded: n = 0 }) => sum + n, 0)).toBe(20);
    expect(await types()).toEqual(Array.from({ length: 20 }, () => 'key_quota_exceeded'));
  });

  test('the warning and the exceeded event are each sent once per month', async () => {
    const id = await db.key({ monthly_limit: 100 });
    for (const requests of [79, 80, 99, 100, 100, 85]) {
      await used(id, requests);
      await sendEvents();
    }
    expect(await types()).toEqual(['key_quota_exceeded', 'key_quota_warning']);
  });

  test('quota events start again in a new month and ignore the previous usage', async () => {
    const id = await db.key({ monthly_limit: 10, monthly_token_limit: 10 });
    await used(id, 10);
    await spent(id, 10, 0);
    await db.put('2027-01-31T23:59:59.999Z');
    expect(await sendEvents()).toMatchObject({ key_quota_exceeded: 1, key_token_quota_exceeded: 1 });
    await db.put('2027-02-01T00:00:00.000Z');
    expect(await sendEvents()).toEqual({ keys_looked_at: 1 });
    await used(id, 9, '2027-02-01');
    await spent(id, 0, 10, '2027-02-01');
    expect(await sendEvents()).toMatchObject({ key_quota_warning: 1, key_token_quota_exceeded: 1 });
  });

  test('quota events of a month that ended before the job ran are not sent', async () => {
    await used(await db.key({ monthly_limit: 10 }), 10, '2026-12-15');
    expect(await sendEvents()).toEqual({ keys_looked_at: 1 });
  });

  test('each expiry date is announced once before and once after it passes', async () => {
    const id = await db.key({ expires_at: '2027-02-03T12:00:00Z' });
    const days = ['2027-01-26', '2027-01-27T12:00:00Z', '2027-02-01', '2027-02-03T12:00:00Z', '2027-02-28'];
    const sent: string[][] = [];
    for (const day of days) {
      await db.put(day);
      sent.push(Object.keys(await sendEvents()).slice(1));
    }
    expect(sent).toEqual([[], ['key_expiring_soon'], [], ['key_expired'], []]);
    await db.query(`update api_keys set expires_at = '2028-02-29T12:00:00Z' where id = $1`, [id]);
    await db.put('2028-02-22T12:00:00Z');
    expect(await sendEvents()).toMatchObject({ key_expiring_soon: 1 });
    await db.put('2028-03-01');
    expect(await sendEvents()).toMatchObject({ key_expired: 1 });
  });

  test('long-expired active and suspended keys raise events once, and revoked keys none', async () => {
    const fields = { expires_at: '2020-01-01', monthly_limit: 1 };
    const keys = await Promise.all(
      ['active', 'suspended', 'revoked'].map((status) => db.key({ ...fields, status, name: status })),
    );
    for (const id of keys) await used(id, 1);
    expect(await sendEvents()).toEqual({ keys_looked_at: 2, key_expired: 2, key_quota_exceeded: 2 });
    expect(await sendEvents()).toEqual({ keys_looked_at: 2 });
    const names = (await events()).map(({ data }) => data.key_name);
    expect(names.sort()).toEqual(['active', 'active', 'suspended', 'suspended']);
  });

  test('the task processes more than a thousand keys in batches', async () => {
    await db.query(`insert into api_keys (name, key_hash, key_hint, expires_at)
      select 'key ' || n, decode(md5(n::text), 'hex'), 'sk-gw-…abcd', '2027-01-01' from generate_series(1, 1001) n`);
    expect(await sendEvents()).toEqual({ keys_looked_at: 1001, key_expired: 1001 });
    expect(await sendEvents()).toEqual({ keys_looked_at: 1001 });
  });

  test('a failed batch fails the task but does not stop the other batches', async () => {
    await db.query(`insert into api_keys (id, name, key_hash, key_hint, expires_at)
      select ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, 'key ' || n, decode(md5(n::text), 'hex'), 'sk-gw-…abcd', '2027-01-01'
        from generate_series(1, 400) n`);
    await db.query(`create function refuse() returns trigger language plpgsql as $$
      begin if new.key_id = '00000000-0000-0000-0000-000000000007' then raise 'not this one'; end if; return new; end $$`);
    await db.query('create trigger refuse before insert on event_once for each row execute function refuse()');
    await expect(sendEvents()).rejects.toThrow(/1 batches of keys failed, first error: .*not this one/);
    expect((await types()).length).toBe(400 - 160);
    await db.query('drop trigger refuse on event_once');
    expect(await sendEvents()).toMatchObject({ key_expired: 160 });
  });

  test('an aborted run sends no events', async () => {
    await db.key({ expires_at: '2027-01-01' });
    await expect(db.carryOut(db.keyEvents, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    expect(await types()).toEqual([]);
  });
});
