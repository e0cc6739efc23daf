import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { LostChanges } from '../../src/audit/lost-changes/lost-changes.service.js';
import { ADMIN_KEY, TestGateway, type Key } from '../support/gateway.js';
import { until } from '../support/until.js';

interface Lost {
  readonly id: string;
  readonly action: string;
  readonly target_id: string;
  readonly target_name: string | null;
  readonly remembered: string | null;
  readonly decision: string | null;
  readonly decided_by: string | null;
}

let gateway: TestGateway;
let database: Client;

beforeAll(async () => {
  gateway = await TestGateway.start();
  database = new Client({ connectionString: gateway.databaseUrl });
  await database.connect();
});
afterEach(async () => {
  await decide('discard');
  await database.query('delete from model_policies');
  await until(async () => (await statusOf(await gateway.createKey())) === 200);
});
afterAll(async () => {
  await database.end();
  await gateway.stop();
});

const admin = <T = Record<string, unknown>>(method: string, path: string, body?: unknown, on = gateway) =>
  on.call<T>(method, `/admin${path}`, { key: ADMIN_KEY, body });
const lostChanges = () => gateway.app.get(LostChanges, { strict: false });
const statusOf = async ({ key }: Key, on = gateway) => (await on.chat(key)).status;
const listed = async (query = '?decided=false') => {
  const { body } = await admin<{ changes: Lost[] }>('GET', `/lost-changes${query}`);
  return body.changes.filter(({ action }) => action !== 'api_key.created');
};
const decide = (decision: 'apply' | 'discard', ids?: string[]) =>
  admin<{ changes: Lost[] }>('POST', `/lost-changes/${decision}`, ids === undefined ? {} : { ids });

/** Runs `change`, and returns the database to its state before, as the promotion of an asynchronous standby does. */
async function lose(change: () => Promise<unknown>): Promise<void> {
  const tables = ['api_keys', 'key_quota', 'model_policies', 'model_prices'];
  for (const table of tables) await database.query(`create table before_${table} as table ${table}`);
  const { rows } = await database.query<{ at: string }>(
    `select coalesce(max(created_at), 'epoch')::text as at from audit_logs`,
  );
  await change();
  // Changes are read in order, so the process remembers those before this one.
  const last = await gateway.createKey();
  await until(() => lostChanges().keyInsteadOf(last.id, 0) !== undefined);
  await database.query(`
    begin;
    set local session_replication_role = replica;
    ${tables.map((table) => `delete from ${table}; insert into ${table} overriding system value select * from before_${table};`).join('\n')}
    delete from audit_logs where created_at > '${rows[0]!.at}';
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name in ('gateway-watch', 'gateway admission');
    commit;
    drop table ${tables.map((table) => `before_${table}`).join(', ')}`);
  await until(async () => {
    const { rowCount } = await database.query('select from lost_changes where target_id = $1', [last.id]);
    return rowCount === 1;
  });
}

describe('a change that the database has lost', () => {
  test('a revoked key stays revoked, and the change is listed, published and shown as a notification', async () => {
    const key = await gateway.createKey({ name: 'lost' });
    expect(await statusOf(key)).toBe(200);
    await lose(() => admin('POST', `/api-keys/${key.id}/revoke`));
    expect(await statusOf(key)).toBe(403);
    expect(await listed()).toMatchObject([
      { action: 'api_key.revoked', target_id: key.id, target_name: 'lost', remembered: 'revoked', decision: null },
    ]);
    const { rows } = await database.query(
      `select e.data from events e join notifications n on n.id = e.id where e.type = 'changes_lost'`,
    );
    expect(rows).toMatchObject([
      {
        data: { count: 2, changes: [{ action: 'api_key.revoked', target_id: key.id }, { action: 'api_key.created' }] },
      },
    ]);
    expect(lostChanges().undecided).toBe(2);
  });

  test('after a rotation, the new raw key works and the old one does not', async () => {
    const key = await gateway.createKey();
    expect(await statusOf(key)).toBe(200);
    let rotated = key;
    await lose(async () => {
      const { body } = await admin<Key & Record<string, unknown>>('POST', `/api-keys/${key.id}/rotate`);
      rotated = { id: key.id, key: body.key };
    });
    expect(await statusOf(key)).toBe(401);
    expect(await statusOf(rotated)).toBe(200);
  });

  test('a blocked model stays blocked', async () => {
    const key = await gateway.createKey();
    expect(await statusOf(key)).toBe(200);
    await lose(() => admin('POST', '/model-allowlist', { model: 'gpt-4o-mini', enabled: false }));
    await until(async () => (await statusOf(key)) === 403);
    expect(await listed()).toMatchObject([
      { action: 'model_policy.set', target_id: 'gpt-4o-mini', remembered: 'blocked' },
    ]);
  });

  test('"apply" makes the changes again, and writes audit rows', async () => {
    const key = await gateway.createKey();
    await lose(() => admin('POST', `/api-keys/${key.id}/suspend`));
    const { body } = await decide('apply');
    expect(body.changes[0]).toMatchObject({ target_id: key.id, decision: 'applied', decided_by: 'admin_key' });
    expect(await listed()).toEqual([]);
    expect((await admin('GET', `/api-keys/${key.id}`)).body).toMatchObject({ status: 'suspended' });
    expect(await statusOf(key)).toBe(403);
    const { rows } = await database.query('select action from audit_logs where target_id = $1 order by created_at', [
      key.id,
    ]);
    expect(rows.slice(-2)).toEqual([{ action: 'api_key.updated' }, { action: 'lost_change.applied' }]);
  });

  test('"discard" keeps the state of the database', async () => {
    const key = await gateway.createKey();
    await lose(() => admin('POST', `/api-keys/${key.id}/suspend`));
    expect(await statusOf(key)).toBe(403);
    const [change] = await listed();
    expect((await decide('discard', [change!.id])).body.changes).toMatchObject([{ decision: 'discarded' }]);
    await until(async () => (await statusOf(key)) === 200);
    expect(await listed('?decided=true')).toContainEqual(expect.objectContaining({ id: change!.id }));
  });

  test('a later change of the key replaces the lost one', async () => {
    const key = await gateway.createKey();
    await lose(() => admin('POST', `/api-keys/${key.id}/suspend`));
    await until(async () => (await statusOf(key)) === 403);
    expect((await admin('PATCH', `/api-keys/${key.id}`, { rpm_limit: 7 })).status).toBe(200);
    expect(await statusOf(key)).toBe(200);
  });

  test('a change that the gateway does not remember completely can only be discarded', async () => {
    const price = { model: 'lost-model', prices: { input: '1' } };
    await lose(async () => expect((await admin('POST', '/prices', price)).status).toBe(201));
    const [change] = await listed();
    expect(change).toMatchObject({ action: 'price.created', remembered: null });
    expect((await decide('apply', [change!.id])).status).toBe(400);
    await decide('apply');
    expect(await listed()).toMatchObject([{ id: change!.id }]);
    expect((await decide('discard')).body.changes).toMatchObject([{ id: change!.id }]);
  });

  test('with GW_LOST_CHANGES=report, it is only reported', async () => {
    const reporting = await TestGateway.start({ GW_LOST_CHANGES: 'report' }, { databaseUrl: gateway.databaseUrl });
    try {
      const key = await gateway.createKey();
      await lose(() => admin('POST', `/api-keys/${key.id}/suspend`));
      expect(await statusOf(key, reporting)).toBe(200);
      expect(await statusOf(key)).toBe(403);
    } finally {
      await reporting.stop();
    }
  });
});
