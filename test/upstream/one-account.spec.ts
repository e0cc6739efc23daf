import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { UpstreamDrains } from '../../src/upstream/routing/upstream-drains.service.js';
import type { Key, TestGateway } from '../support/gateway.js';
import { startGateway } from '../support/ready-gateway.js';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());

test('a leftover drain in the database does not block the unnamed upstream when GW_UPSTREAMS is not set', async () => {
  const drains = gateway.app.get(UpstreamDrains);
  await gateway.app
    .get(DataSource)
    .query(`insert into upstream_drains (upstream, created_by) values ('default', 'admin')`);
  await drains.refresh();
  expect(drains.of('default')).toBeDefined();
  expect((await gateway.chat(key)).status).toBe(200);
});
