import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestGateway } from '../support/gateway.js';
import { cli, cliJson } from './command.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());

const PRICE = '6f0c2f5e-3d1b-4a47-9d6b-0f5f4a9c1e21';
const BLOCK = '0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90';

test('the commands for lost changes list, apply and discard the same changes as the Admin API', async () => {
  const env = { DATABASE_URL: gateway.databaseUrl };
  expect(await cli(['lost-change', 'list'], { env })).toMatchObject({
    code: 0,
    stdout: 'The database has lost no changes.\n',
  });
  await gateway.app.get(DataSource).query(`
    insert into lost_changes (id, at, action, actor_type, target_type, target_id, remembered)
    values ('${PRICE}', '2026-06-01', 'price.created', 'admin_key', 'price', '17', null),
           ('${BLOCK}', '2026-06-02', 'model_policy.set', 'admin_key', 'model', 'gpt-4o', '{"enabled": false}')`);
  const { body } = await gateway.admin('GET', '/admin/lost-changes?decided=false');
  expect(body).toMatchObject({
    total: 2,
    changes: [
      { id: BLOCK, remembered: 'blocked', decision: null },
      { id: PRICE, remembered: null, target_id: '17' },
    ],
  });
  expect(await cliJson(['lost-change', 'list', '--decided', 'false'], { env })).toMatchObject({ code: 0, body });
  const applied = await cli(['lost-change', 'apply'], { env });
  expect(applied).toMatchObject({ code: 0, stdout: expect.stringMatching(/model_policy\.set.*blocked.*applied/) });
  const { body: policy } = await gateway.admin('GET', '/admin/model-allowlist/gpt-4o');
  expect(policy).toMatchObject({ enabled: false });
  const discarded = await cliJson(['lost-change', 'discard', PRICE], { env });
  expect(discarded).toMatchObject({ code: 0, body: { changes: [{ id: PRICE, decision: 'discarded' }] } });
  expect((await gateway.admin('GET', '/admin/lost-changes?decided=false')).body).toMatchObject({ total: 0 });
});
