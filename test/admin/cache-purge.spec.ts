import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { until } from '../support/until.js';
import { TestGateway, type Key } from '../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { KeyCache } from '../../src/keys/key-cache.js';
import { hashKey } from '../../src/keys/key-format.js';
import { errorCodeIn } from '../support/responses.js';

const ALL = { purged: ['catalog', 'keys', 'policy'] };

let upstream: ScriptedUpstream;
let scratch: ScratchDatabase;
let gateways: [TestGateway, TestGateway];
let key: Key;
beforeAll(async () => {
  upstream = await startUpstream();
  scratch = await createScratchDatabase();
  const start = () => TestGateway.start({}, { upstream, databaseUrl: scratch.url });
  gateways = [await start(), await start()];
  key = await gateways[0].createKey();
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  await upstream.stop();
  await scratch.drop();
});

const purge = () => gateways[0].admin('POST', '/admin/cache/purge');
const query = <T>(sql: string) => gateways[0].app.get(DataSource).query<T>(sql);
const holds = (gateway: TestGateway) => gateway.app.get(KeyCache).find(hashKey(key.key)) !== undefined;

test('a purge refetches the model catalog for every process', async () => {
  const ids = async (gateway: TestGateway) =>
    (await gateway.call<{ data: { id: string }[] }>('GET', '/v1/models', { key })).body.data.map(({ id }) => id);
  expect((await purge()).body).toEqual(ALL);
  expect(await ids(gateways[1])).toContain('gpt-4o');
  upstream.on('GET', '/v1/models', (_request, response) => void response.end('{"data":[{"id":"acme-new"}]}'));
  const { status, body } = await purge();
  expect([status, body]).toEqual([200, ALL]);
  expect(await ids(gateways[0])).toEqual(['acme-new']);
  await until(async () => (await ids(gateways[1])).join() === 'acme-new');
  upstream.reset();
  await purge();
});

test('a purge drops the cached keys of every process', async () => {
  for (const gateway of gateways) {
    // A late notification from the previous purge can drop a key that was just cached.
    await until(async () => (await gateway.call('GET', '/v1/usage', { key })) && holds(gateway));
  }
  await purge();
  expect(holds(gateways[0])).toBe(false);
  await until(() => !holds(gateways[1]));
  for (const gateway of gateways) expect((await gateway.call('GET', '/v1/usage', { key })).status).toBe(200);
});

test('a purge reloads the model policy in every process', async () => {
  const chat = async (gateway: TestGateway) => errorCodeIn(await gateway.chat(key));
  await query(`begin; set local session_replication_role = replica;
    insert into model_policies (model, enabled, updated_at, updated_by) values ('gpt-4o-mini', false, now(), 'x'); commit`);
  await purge();
  expect(await chat(gateways[0])).toBe('403 model_not_available model');
  await until(async () => (await chat(gateways[1])) === '403 model_not_available model');
  await query('delete from model_policies');
});

test('a purge returns and audits only the caches that it refreshed', async () => {
  await query('truncate audit_logs');
  await purge();
  upstream.on('GET', '/v1/models', (_request, response) => void response.writeHead(500).end());
  expect((await purge()).body).toEqual({ purged: ['keys', 'policy'] });
  upstream.reset();
  const rows = await query<{ action: string; actor_type: string; metadata: { purged: string[] } }[]>(
    'select action, actor_type, metadata from audit_logs order by created_at',
  );
  expect(rows.map(({ action, actor_type, metadata }) => [action, actor_type, metadata.purged])).toEqual([
    ['cache.purged', 'admin_key', ALL.purged],
    ['cache.purged', 'admin_key', ['keys', 'policy']],
  ]);
});

test('a purge requires POST and the admin key, and accepts no fields', async () => {
  const [gateway] = gateways;
  expect(errorCodeIn(await gateway.call('POST', '/admin/cache/purge'))).toBe('401 missing_api_key');
  expect(errorCodeIn(await gateway.call('POST', '/admin/cache/purge', { key }))).toBe('401 invalid_api_key');
  expect(errorCodeIn(await gateway.admin('POST', '/admin/cache/purge', { keys: true }))).toBe(
    '400 validation_error keys',
  );
  expect(errorCodeIn(await gateway.admin('GET', '/admin/cache/purge'))).toBe('404 route_not_found');
});
