import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../database/until.js';
import { ADMIN_KEY, TestGateway } from '../../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';

const READS = 30;
/** A quarter of the reads are far more than the general pool holds. */
const PATH = '/admin/request-logs?limit=1';

let scratch: ScratchDatabase;
let gateway: TestGateway;
let db: Client;
/** In no transaction: there activity would be that of its beginning. */
let watch: Client;
beforeAll(async () => {
  scratch = await createScratchDatabase();
  gateway = await TestGateway.start({}, { databaseUrl: scratch.url });
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

describe('while more reads of operators wait for the database than the general pool has connections', () => {
  test('keys are read, refused and served, models are blocked, usage is written, and changes are made', async () => {
    const [known, other] = [await gateway.createKey(), await gateway.createKey()];
    await db.query('begin; lock table request_logs in access exclusive mode');
    const reads = Array.from({ length: READS }, () => gateway.admin('GET', PATH));
    await until(async () => (await waiting()) >= 6, 5_000);

    const made = await gateway.createKey();
    expect((await gateway.chat(made)).status).toBe(200);
    expect((await gateway.admin('POST', `/admin/api-keys/${known.id}/suspend`)).status).toBe(200);
    expect((await gateway.chat(known)).status).toBe(403);
    expect(
      (await gateway.admin('POST', '/admin/model-allowlist', { model: 'gpt-4o-mini', enabled: false })).status,
    ).toBe(200);
    await until(async () => (await gateway.chat(other)).status === 403, 1_000);
    expect((await gateway.call('GET', '/v1/usage', { key: made })).status).toBe(200);
    const used = async () =>
      (await watch.query('select from usage_daily where key_id = $1 and requests > 0', [made.id])).rowCount === 1;
    await until(used, 5_000);
    expect(await waiting()).toBeLessThanOrEqual(6);

    await db.query('commit');
    const statuses = (await Promise.all(reads)).map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
    expect((await gateway.admin('GET', PATH)).status).toBe(200);
  });

  test('who goes away while it stands in line takes no place', async () => {
    await db.query('begin; lock table request_logs in access exclusive mode');
    const leaving = new AbortController();
    const reads = Array.from({ length: READS }, () =>
      gateway.call('GET', PATH, { key: ADMIN_KEY, signal: leaving.signal }).catch(() => null),
    );
    await until(async () => (await waiting()) >= 6, 5_000);
    leaving.abort();
    await Promise.all(reads);
    await db.query('commit');
    expect(
      (await Promise.all(Array.from({ length: 12 }, () => gateway.admin('GET', PATH)))).map((a) => a.status),
    ).toEqual(Array.from({ length: 12 }, () => 200));
  });
});
