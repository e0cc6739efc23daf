import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OperatorReadLimitGuard } from '../../../src/admin/operator-read-limit.guard.js';
import { ConcurrencyLimit } from '../../../src/platform/fairness/concurrency-limit.js';
import { until } from '../../support/until.js';
import { ADMIN_KEY, TestGateway } from '../../support/gateway.js';
import { OperatorSession } from '../../support/operator-session.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';

const READS = 30;
/** More than the queue holds. */
const FLOOD = 250;
const PATH = '/admin/request-logs?limit=1';

let scratch: ScratchDatabase;
let gateway: TestGateway;
let db: Client;
/** A separate connection, because `pg_stat_activity` does not change within a transaction. */
let watch: Client;
beforeAll(async () => {
  scratch = await createScratchDatabase();
  gateway = await TestGateway.start({ GW_DATABASE_POOL: '10' }, { databaseUrl: scratch.url });
  db = new Client({ connectionString: scratch.url });
  watch = new Client({ connectionString: scratch.url });
  await Promise.all([db.connect(), watch.connect()]);
});
afterAll(async () => {
  await Promise.all([db.end(), watch.end()]);
  await gateway.stop();
  await scratch.drop();
});

const waiting = async () => {
  const { rowCount } = await watch.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%request_logs%' and query not like '%insert%'`,
  );
  return rowCount ?? 0;
};

describe('operator reads that wait for the database', () => {
  test('waiting reads do not block proxy requests, admin changes or usage writes', async () => {
    const [known, other] = [await gateway.createKey(), await gateway.createKey()];
    await db.query('begin; lock table request_logs in access exclusive mode');
    const reads = Array.from({ length: READS }, () => gateway.admin('GET', PATH));
    await until(async () => (await waiting()) >= 6);

    const made = await gateway.createKey();
    expect((await gateway.chat(made)).status).toBe(200);
    expect((await gateway.admin('POST', `/admin/api-keys/${known.id}/suspend`)).status).toBe(200);
    expect((await gateway.chat(known)).status).toBe(403);
    expect(
      (await gateway.admin('POST', '/admin/model-allowlist', { model: 'gpt-4o-mini', enabled: false })).status,
    ).toBe(200);
    await until(async () => (await gateway.chat(other)).status === 403);
    expect((await gateway.call('GET', '/v1/usage', { key: made })).status).toBe(200);
    const used = async () =>
      (await watch.query('select from usage_daily where key_id = $1 and requests > 0', [made.id])).rowCount === 1;
    await until(used);
    expect(await waiting()).toBeLessThanOrEqual(6);

    await db.query('commit');
    const statuses = (await Promise.all(reads)).map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
    expect((await gateway.admin('GET', PATH)).status).toBe(200);
  });

  test('a flood of reads by one operator is rejected, while reads of others are served', async () => {
    const viewer = await OperatorSession.of(gateway, 'viewer');
    const owner = await OperatorSession.of(gateway, 'owner');
    await db.query('begin; lock table request_logs in access exclusive mode');
    let refused = 0;
    const flood = Array.from({ length: FLOOD }, () =>
      viewer.call('GET', PATH).then(({ status }) => (refused += status === 503 ? 1 : 0)),
    );
    await until(async () => refused > 0 && (await waiting()) >= 6);
    const reads = [owner, { call: gateway.admin.bind(gateway) }].map((caller) =>
      caller.call('GET', '/admin/api-keys?limit=1'),
    );
    // After this round trip, both reads are in the queue behind the flood.
    await gateway.call('GET', '/health/live');
    await db.query('commit');
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200]);
    await Promise.all(flood);
  });

  test('a queued read whose client disconnects releases its slot', async () => {
    await db.query('begin; lock table request_logs in access exclusive mode');
    const leaving = new AbortController();
    const reads = Array.from({ length: READS }, () =>
      gateway.call('GET', PATH, { key: ADMIN_KEY, signal: leaving.signal }).catch(() => null),
    );
    await until(async () => (await waiting()) >= 6);
    leaving.abort();
    await Promise.all(reads);
    await db.query('commit');
    expect(
      (await Promise.all(Array.from({ length: 12 }, () => gateway.admin('GET', PATH)))).map((a) => a.status),
    ).toEqual(Array.from({ length: 12 }, () => 200));
  });
});

test('a response that the client does not read releases its slot once', async () => {
  const server = createServer((_req, res) => {
    // As in a real request, the guard runs before the response is written.
    void guard.canActivate(hostOf(res));
    res.end(Buffer.alloc(32 * 1024 * 1024));
  });
  const limit = new ConcurrencyLimit({ atOnce: 1, waiting: 0, waitMs: 1 });
  const guard = new OperatorReadLimitGuard(limit);
  const hostOf = (res: ServerResponse) =>
    ({ getArgByIndex: (at: number) => (at === 0 ? { ctx: { method: 'GET' } } : { raw: res }) }) as never;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const clients = [connect(port, '127.0.0.1').pause(), connect(port, '127.0.0.1').pause()];
  const answered = clients.map((client) => new Promise((resolve) => client.once('readable', resolve)));
  for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await Promise.all(answered);
  // Closing a connection must not release its slot a second time.
  for (const client of clients) client.destroy();
  await until(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count === 0))));
  expect(limit.enter()).toBeUndefined();
  expect(() => limit.enter()).toThrow();
  server.close();
});
