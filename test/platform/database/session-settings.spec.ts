import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { TestGateway } from '../../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';

/*
 * A database can be configured to format times and numbers in ways that the driver misreads, and to isolate transactions so that
 * concurrent writers fail.
 */

const EXPIRES_AT = '2099-11-20T10:20:30.000Z';

let scratch: ScratchDatabase;
let gateway: TestGateway;
let other: TestGateway;
beforeAll(async () => {
  scratch = await createScratchDatabase();
  const client = new Client({ connectionString: scratch.url });
  await client.connect();
  const name = client.escapeIdentifier(new URL(scratch.url).pathname.slice(1));
  for (const setting of [
    "datestyle = 'German'",
    'extra_float_digits = -5',
    "timezone = 'Asia/Tokyo'",
    "default_transaction_isolation = 'serializable'",
  ])
    await client.query(`alter database ${name} set ${setting}`);
  await client.end();
  gateway = await TestGateway.start({}, { databaseUrl: scratch.url });
  other = await TestGateway.start({}, { databaseUrl: scratch.url });
});
afterAll(async () => {
  await gateway.stop();
  await other.stop();
  await scratch.drop();
});

test('times are read correctly from a database with other date settings', async () => {
  const { id } = await gateway.createKey({ expires_at: EXPIRES_AT });
  const { body } = await gateway.admin('GET', `/admin/api-keys/${id}`);
  expect(body).toMatchObject({ expires_at: EXPIRES_AT, created_at: expect.stringMatching(/^20\d\d-/) });
  expect((await gateway.admin('POST', '/admin/jobs/daily/run')).status).toBeLessThan(300);
});

test('key expiry is checked correctly on a database with other date settings', async () => {
  const [expired, valid] = [await gateway.createKey(), await gateway.createKey({ expires_at: EXPIRES_AT })];
  await gateway.admin('PATCH', `/admin/api-keys/${expired.id}`, { expires_at: '2020-01-01T00:00:00Z' });
  expect((await gateway.chat(expired)).status).toBe(401);
  for (let nth = 0; nth < 3; nth++) expect((await gateway.chat(valid)).status).toBe(200);
});

test('two processes admit requests of one key at the same time on a database with another default isolation', async () => {
  const key = await gateway.createKey();
  const statuses = new Set<number>();
  const clients = [gateway, other].flatMap((target) => Array.from({ length: 4 }, () => target));
  await Promise.all(
    clients.map(async (target) => {
      for (let nth = 0; nth < 20; nth++) statuses.add((await target.chat(key)).status);
    }),
  );
  expect([...statuses]).toEqual([200]);
});
