import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { FaultProxy } from '../../support/fault-proxy.js';
import { until } from '../../support/until.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';

const CLEAN = { code: 0, signal: null };
/** D22: the limit for detecting an outage and for reconnecting. */
const SERVED_DURING_OUTAGE = 5;

let scratch: ScratchDatabase;
let upstream: ScriptedUpstream;
let proxy: FaultProxy;

beforeEach(async () => {
  [scratch, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
  proxy = await FaultProxy.start(scratch.url);
});
afterEach(async () => {
  await GatewayProcess.endAll();
  await proxy.disconnect().catch(() => undefined);
  await upstream.stop();
  await scratch.drop();
});

/** Returns a gateway that has served a key once with its database, and then several times during an outage. */
async function gatewayAfterOutage(graceSeconds: number): Promise<{ gateway: GatewayProcess; keyId: string }> {
  const gateway = await GatewayProcess.start({
    DATABASE_URL: proxy.url,
    GW_UPSTREAM_BASE_URL: upstream.url,
    GW_SHUTDOWN_GRACE_SECONDS: String(graceSeconds),
  });
  const { id, key } = await gateway.createKey();
  expect((await gateway.chat(key)).status).toBe(200);
  await until(async () => (await stored(id)).used === 1);
  await proxy.disconnect();
  await until(async () => (await gateway.call('GET', '/health/ready')).body.database === 'away');
  for (let nth = 0; nth < SERVED_DURING_OUTAGE; nth++) expect((await gateway.chat(key)).status).toBe(200);
  return { gateway, keyId: id };
}

async function stored(keyId: string): Promise<{ counted: number; used: number }> {
  const client = new Client({ connectionString: scratch.url });
  await client.connect();
  const { rows } = await client.query<{ counted: number; used: number }>(
    `select month_count::int as counted,
            (select coalesce(sum(requests), 0)::int from usage_daily where key_id = $1) as used
       from key_quota where key_id = $1`,
    [keyId],
  );
  await client.end();
  return rows[0]!;
}

const waits = (gateway: GatewayProcess) => until(() => gateway.stdout.includes('The shutdown waits for the database'));

test('shutdown waits for the database within the grace period to store counts and usage', async () => {
  const { gateway, keyId } = await gatewayAfterOutage(600);
  gateway.signal('SIGTERM');
  await waits(gateway);
  await proxy.reconnect();
  expect(await gateway.ended).toEqual(CLEAN);
  expect(await stored(keyId)).toEqual({ counted: 1 + SERVED_DURING_OUTAGE, used: 1 + SERVED_DURING_OUTAGE });
});

test('after the grace period, shutdown logs the lost counts and usage and ends with code 0', async () => {
  const { gateway } = await gatewayAfterOutage(1);
  const begun = performance.now();
  expect(await gateway.stop()).toEqual(CLEAN);
  expect(performance.now() - begun).toBeGreaterThan(900);
  expect(gateway.stdout).toContain(`Not written at shutdown: usage of ${SERVED_DURING_OUTAGE} requests`);
  expect(gateway.stdout).toContain(
    `Counts lost at shutdown: ${SERVED_DURING_OUTAGE} requests were served without the database`,
  );
});

test('a second signal ends the wait immediately with code 1', async () => {
  const { gateway } = await gatewayAfterOutage(600);
  gateway.signal('SIGTERM');
  await waits(gateway);
  expect((await gateway.stop('SIGTERM')).code).toBe(1);
});
