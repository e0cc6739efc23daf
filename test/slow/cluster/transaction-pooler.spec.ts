import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { FaultProxy } from '../../support/fault-proxy.js';
import { GatewayProcess, TEST_SETTINGS } from '../../support/gateway-process.js';
import { OutageLoad } from '../../support/outage-load.js';
import { PGBOUNCER, PgBouncer, type PoolMode } from '../../support/pgbouncer.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { until } from '../../support/until.js';

const LIMIT = 500;
/** The first check, or a lost session and the next check */
const PROBLEM = /127\.0\.0\.1:\d+ is a connection pooler that is not in session mode .*Set the pooler to session mode/;

const suite = PGBOUNCER ? describe : describe.skip;
if (!PGBOUNCER) process.stderr.write('Skipped: these tests need the program pgbouncer. Install it.\n');

let scratch: ScratchDatabase;
let upstream: ScriptedUpstream;
let poolers: PgBouncer[];
let direct: GatewayProcess;
let gateways: GatewayProcess[];
let load: OutageLoad | undefined;

const settings = (url: string) => ({ DATABASE_URL: url, GW_UPSTREAM_BASE_URL: upstream.url });

async function pooler(mode: PoolMode, more: readonly string[] = []): Promise<PgBouncer> {
  const pooler = await PgBouncer.start(scratch.url, mode, more);
  poolers.push(pooler);
  return pooler;
}

const started = (url: string) =>
  Promise.all([GatewayProcess.start(settings(url)), GatewayProcess.start(settings(url))]);

async function listening(url: string): Promise<GatewayProcess> {
  const gateway = GatewayProcess.launch({ ...TEST_SETTINGS, ...settings(url) });
  await gateway.whenListening();
  return gateway;
}

const readiness = async (gateway: GatewayProcess) => {
  const { status, body } = await gateway.call('GET', '/health/ready');
  return { status, body };
};
const notReady = async (gateway: GatewayProcess) => (await readiness(gateway)).status === 503;
const all = async (gateways: GatewayProcess[], condition: (gateway: GatewayProcess) => Promise<boolean>) =>
  (await Promise.all(gateways.map(condition))).every(Boolean);

/** Counts POST requests only, because each process also fetches the model list. */
const chatsUpstream = () => upstream.requests.filter(({ method }) => method === 'POST').length;

async function statusesOf(gateways: GatewayProcess[], key: string, count: number): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const client = async (at: number) => {
    for (let sent = at; sent < count; sent += 16) {
      const { status } = await gateways[sent % gateways.length]!.chat(key);
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, at) => client(at)));
  return counts;
}

async function counted(keyId: string): Promise<number> {
  const client = new Client({ connectionString: scratch.url });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    'select month_count::int as count from key_quota where key_id = $1',
    [keyId],
  );
  await client.end();
  return rows[0]?.count ?? 0;
}

suite('gateways behind pgbouncer', () => {
  beforeAll(async () => {
    [scratch, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
    direct = await GatewayProcess.start(settings(scratch.url));
  });
  beforeEach(() => {
    [poolers, gateways, load] = [[], [], undefined];
    upstream.reset();
  });
  afterEach(async () => {
    await load?.stop();
    await Promise.all(gateways.map((gateway) => gateway.kill()));
    await Promise.all(poolers.map((pooler) => pooler.stop()));
  });
  afterAll(async () => {
    await GatewayProcess.endAll();
    await upstream.stop();
    await scratch.drop();
  });

  test.each([
    ['transaction', []],
    ['transaction', ['server_round_robin = 1']],
    ['transaction', ['default_pool_size = 1']],
    ['statement', []],
  ] as const)('two processes in %s mode %j are not ready and admit no request', async (mode, more) => {
    const { url } = await pooler(mode, more);
    const { id, key } = await direct.createKey({ monthly_limit: LIMIT });
    gateways = await Promise.all([listening(url), listening(url)]);
    await until(() => gateways.every(({ stdout }) => PROBLEM.test(stdout)));
    expect(await statusesOf(gateways, key, 3 * LIMIT)).toEqual({ 503: 3 * LIMIT });
    expect([chatsUpstream(), await counted(id)]).toEqual([0, 0]);
    for (const gateway of gateways)
      expect(await readiness(gateway)).toMatchObject({ status: 503, body: { status: 'not_ready' } });
  });

  test('two processes in session mode are ready and admit exactly as many requests as the limit allows', async () => {
    const { url } = await pooler('session');
    gateways = await started(url);
    const { id, key } = await gateways[0]!.createKey({ monthly_limit: LIMIT });
    expect(await statusesOf(gateways, key, 3 * LIMIT)).toEqual({ 200: LIMIT, 429: 2 * LIMIT });
    expect([chatsUpstream(), await counted(id)]).toEqual([LIMIT, LIMIT]);
    for (const { stdout, stderr } of gateways) expect(stdout + stderr).not.toMatch(/pooler|Warning/);
  });

  test('processes whose database address moves to a pooler and back never admit more than the limit', async () => {
    const [pooled, proxy] = [await pooler('transaction'), await FaultProxy.start(scratch.url)];
    gateways = await started(proxy.url);
    const { id, key } = await direct.createKey({ monthly_limit: LIMIT });
    load = new OutageLoad(gateways, key);
    await until(() => load!.served > LIMIT / 5);
    proxy.switchTo(pooled.url);
    await until(() => all(gateways, notReady));
    await until(() => gateways.every(({ stdout }) => PROBLEM.test(stdout)));
    const before = chatsUpstream();
    expect(before).toBeLessThan(LIMIT);
    for (const gateway of gateways) expect((await gateway.chat(key)).status).toBe(503);
    expect(chatsUpstream()).toBe(before);
    proxy.switchTo(scratch.url);
    await until(() => all(gateways, async (gateway) => !(await notReady(gateway))));
    await until(() => load!.statuses.includes(429));
    await load.stop();
    expect([chatsUpstream(), await counted(id)]).toEqual([LIMIT, LIMIT]);
    await proxy.disconnect();
  });

  test('processes detect that their pooler was changed from session mode to transaction mode', async () => {
    const pooled = await pooler('session');
    gateways = await started(pooled.url);
    const { id, key } = await direct.createKey({ monthly_limit: LIMIT });
    load = new OutageLoad(gateways, key);
    await until(() => load!.served > LIMIT / 5);
    await pooled.changeMode('transaction');
    await until(() => all(gateways, notReady));
    await load.stop();
    expect(chatsUpstream()).toBeLessThanOrEqual(LIMIT);
    expect(await statusesOf(gateways, key, LIMIT)).toEqual({ 503: LIMIT });
    expect(await counted(id)).toBeGreaterThanOrEqual(chatsUpstream());
  });
});
