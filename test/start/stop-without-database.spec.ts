import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { FickleProxy } from '../support/fickle-proxy.js';
import { until } from '../support/until.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';

const CLEAN = { code: 0, signal: null };
/** D22: known to be away, and found again. */
const KNOWN_MS_MAX = 5000;
const SERVED_MEANWHILE = 5;

let scratch: ScratchDatabase;
let upstream: ScriptedUpstream;
let proxy: FickleProxy;

beforeEach(async () => {
  [scratch, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
  proxy = await FickleProxy.start(scratch.url);
});
afterEach(async () => {
  await GatewayProcess.endAll();
  await proxy.goAway().catch(() => undefined);
  await upstream.stop();
  await scratch.drop();
});

/** A gateway that has served a key once with its database, and then some times without. */
async function gatewayThatOwes(graceSeconds: number): Promise<{ gateway: GatewayProcess; keyId: string }> {
  const gateway = await GatewayProcess.start({
    ...{ DATABASE_URL: proxy.url, GW_UPSTREAM_BASE_URL: upstream.url },
    GW_SHUTDOWN_GRACE_SECONDS: String(graceSeconds),
  });
  const { id, key } = await gateway.createKey();
  expect((await gateway.chat(key)).status).toBe(200);
  await until(async () => (await stored(id)).used === 1, KNOWN_MS_MAX);
  await proxy.goAway();
  await until(async () => (await gateway.call('GET', '/health/ready')).body.database === 'away', KNOWN_MS_MAX);
  for (let nth = 0; nth < SERVED_MEANWHILE; nth++) expect((await gateway.chat(key)).status).toBe(200);
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

const waits = (gateway: GatewayProcess) =>
  until(() => gateway.stdout.includes('The shutdown waits for the database'), KNOWN_MS_MAX);

test('a stop waits within the grace for the database to which it owes counts and usage', async () => {
  const { gateway, keyId } = await gatewayThatOwes(60);
  gateway.signal('SIGTERM');
  await waits(gateway);
  await proxy.comeBack();
  const begun = performance.now();
  expect(await gateway.ended).toEqual(CLEAN);
  expect(performance.now() - begun).toBeLessThan(2 * KNOWN_MS_MAX);
  expect(await stored(keyId)).toEqual({ counted: 1 + SERVED_MEANWHILE, used: 1 + SERVED_MEANWHILE });
});

test('when the grace is over it ends with 0 all the same, and logs both in sums', async () => {
  const { gateway } = await gatewayThatOwes(1);
  const begun = performance.now();
  expect(await gateway.stop()).toEqual(CLEAN);
  expect(performance.now() - begun).toBeGreaterThan(900);
  expect(gateway.stdout).toContain(`Not written at shutdown: usage of ${SERVED_MEANWHILE} requests`);
  expect(gateway.stdout).toContain(
    `Counts lost at shutdown: ${SERVED_MEANWHILE} requests were served without the database`,
  );
});

test('a second signal ends the wait at once', async () => {
  const { gateway } = await gatewayThatOwes(60);
  gateway.signal('SIGTERM');
  await waits(gateway);
  expect((await gateway.stop('SIGTERM')).code).toBe(1);
});
