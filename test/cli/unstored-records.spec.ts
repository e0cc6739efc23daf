import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestGateway } from '../support/gateway.js';
import { cli, cliJson } from './command.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());

const KEY = '6f0c2f5e-3d1b-4a47-9d6b-0f5f4a9c1e21';

test('request unstored lists the same records as the Admin API, the newest first', async () => {
  const env = { DATABASE_URL: gateway.databaseUrl };
  expect(await cli(['request', 'unstored'], { env })).toMatchObject({ code: 0, stdout: 'All records were stored.\n' });
  await gateway.app.get(DataSource).query(`
    insert into unstored_records (at, source, key_id, reason, record)
    values ('2026-06-01', 'usage', '${KEY}', 'out of range', '{"requests":1}'),
           ('2026-06-02', 'request_logs', '${KEY}', 'out of range', '{}')`);
  const { body } = await gateway.admin('GET', '/admin/unstored-records');
  expect(body).toMatchObject({
    total: 2,
    has_more: false,
    records: [
      { source: 'request_logs', at: '2026-06-02T00:00:00.000Z' },
      { source: 'usage', key_id: KEY, reason: 'out of range', record: '{"requests":1}' },
    ],
  });
  expect(await cliJson(['request', 'unstored'], { env })).toMatchObject({ code: 0, body });
  expect((await cli(['request', 'unstored'], { env })).stdout).toMatch(/request_logs.*out of range\n.*usage/);
});
