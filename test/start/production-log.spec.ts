import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { SECRET_KEY } from '../support/gateway.js';
import { GatewayProcess, TEST_SETTINGS } from '../support/gateway-process.js';
import { poll } from '../support/poll.js';
import { createEmptyDatabase, createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';

let scratch: ScratchDatabase;
let upstream: ScriptedUpstream;
beforeAll(async () => {
  [scratch, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await upstream.stop();
  await scratch.drop();
});

const settings = (databaseUrl = scratch.url) => ({
  NODE_ENV: 'production',
  DATABASE_URL: databaseUrl,
  GW_UPSTREAM_BASE_URL: upstream.url,
  GW_SECRET_KEY: SECRET_KEY,
  GW_DRAIN_DELAY_SECONDS: '0',
});

const linesOf = ({ stdout }: GatewayProcess) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('every log line in production is JSON, from startup to the end of shutdown', async () => {
  const gateway = await GatewayProcess.start({ ...settings(), LOG_LEVEL: 'info' });
  expect((await gateway.call('GET', '/health')).status).toBe(200);
  gateway.signal('SIGTERM');
  expect((await gateway.ended).code).toBe(0);
  const messages = linesOf(gateway).map(({ msg }) => msg);
  expect(messages).toContain('Listening');
  expect(messages).not.toContain('request');
  expect(messages.at(-1)).toBe('Stopped');
  expect(gateway.stderr).toBe('');
});

test('a database role without create permission gets a log line with the remedy', async () => {
  const empty = await createEmptyDatabase();
  const client = new Client({ connectionString: empty.url });
  await client.connect();
  const role = `gw_test_role_${process.pid}`;
  await client.query(`create role ${role} login password 'password-of-a-role'`);
  const url = new URL(empty.url);
  [url.username, url.password] = [role, 'password-of-a-role'];
  const gateway = GatewayProcess.launch({ ...TEST_SETTINGS, ...settings(url.href), LOG_LEVEL: 'info' });
  await gateway.whenListening();
  const notReady = () => linesOf(gateway).find(({ msg }) => String(msg).startsWith('Not ready'))?.['msg'];
  await poll(notReady).toMatch(/permission denied.*which the doctor command lists/);
  await gateway.kill();
  await client.query(`drop role ${role}`);
  await client.end();
  await empty.drop();
});
