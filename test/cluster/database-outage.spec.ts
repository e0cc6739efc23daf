import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from 'pg';
import { until } from '../support/until.js';
import { generateKey } from '../../src/keys/key-format.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { ADMIN_KEY, TestGateway, type Answer, type Key } from '../support/gateway.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { OutageLoad, type Gateway } from '../support/outage-load.js';
import { CONNECTIONS, OwnPostgres } from '../support/own-postgres.js';

/** 2 s are promised, on a machine that has something to spare. */
const ANSWER_MS_MAX = 4000;
/** By one that is known to be away nobody is kept waiting at all. */
const AT_ONCE_MS_MAX = 1000;
const FOUND_AGAIN_MS_MAX = 5000;
const LEFT = 5;

let postgres: OwnPostgres;
let upstream: ScriptedUpstream;
/** One that is a process of its own, and one inside this one. */
let gateways: [GatewayProcess, TestGateway];
/** Connections that are kept from the gateways. */
const holders: Client[] = [];
/** Also where the start of the other has failed: a server that is left behind keeps the run from its end. */
const inside: TestGateway[] = [];
let busy: Key;
let limited: Key;
let load: OutageLoad;

beforeAll(async () => {
  [postgres, upstream] = await Promise.all([OwnPostgres.start(), startUpstream()]);
  const apart = await GatewayProcess.start({ DATABASE_URL: postgres.url, GW_UPSTREAM_BASE_URL: upstream.url });
  inside.push(await TestGateway.start({}, { upstream, databaseUrl: postgres.url }));
  gateways = [apart, inside[0]!];
}, 60_000);
beforeEach(async () => {
  busy = await gateways[0].createKey();
  limited = await gateways[0].createKey({ monthly_limit: LEFT + 2 });
  for (const gateway of gateways) expect((await gateway.chat(limited.key)).status).toBe(200);
  load = new OutageLoad(gateways, busy.key);
  await until(() => load.served > 40, 20_000);
});
afterEach(async () => {
  await load?.stop();
  // Whatever a test that failed has left.
  await giveBackConnections();
  await postgres.goOn();
  await until(back, FOUND_AGAIN_MS_MAX);
});
afterAll(async () => {
  await Promise.all([...inside.map((gateway) => gateway.stop()), GatewayProcess.endAll()]);
  await upstream.stop();
  await postgres.drop();
});

/** Of the right form, its checksum too. */
const unknownKey = generateKey();
const mistypedKey = `${unknownKey.slice(0, -1)}${unknownKey.endsWith('0') ? '1' : '0'}`;

const codeOf = ({ status, body }: Answer) =>
  `${status} ${(body.error as { code: string } | undefined)?.code ?? ''}`.trimEnd();
const state = async (gateway: Gateway) => (await gateway.call('GET', '/health/ready')).body;
const both = async (is: (gateway: Gateway) => Promise<boolean>) => (await Promise.all(gateways.map(is))).every(Boolean);
const knownToBeAway = () => both(async (gateway) => (await state(gateway)).database === 'away');
const back = () => both(async (gateway) => (await state(gateway)).database === 'ready');

async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const beganAtMs = performance.now();
  return { result: await work, ms: performance.now() - beganAtMs };
}

/** What everybody is answered at a gateway that has no database. */
async function answersAt(gateway: Gateway): Promise<Record<string, string>> {
  const { key } = busy;
  const calls: Record<string, Promise<Answer>> = {
    known: gateway.chat(key),
    usage: gateway.call('GET', '/v1/usage', { key }),
    models: gateway.call('GET', '/v1/models', { key }),
    'a model that is not there': gateway.chat(key, { model: 'no-such-model' }),
    unknown: gateway.chat(unknownKey),
    mistyped: gateway.chat(mistypedKey),
    admin: gateway.call('POST', `/admin/api-keys/${busy.id}/suspend`, { key: ADMIN_KEY }),
  };
  const answers = Object.entries(calls).map(async ([name, call]) => [name, codeOf(await call)] as const);
  return Object.fromEntries(await Promise.all(answers));
}

const AWAY = {
  ...{ known: '200', usage: '200', models: '200', 'a model that is not there': '403 model_not_available' },
  ...{ unknown: '503 service_unavailable', mistyped: '401 invalid_api_key', admin: '503 service_unavailable' },
};

/** How many more of the key's requests pass at each gateway: of twice what is left. */
const floodLimited = async () =>
  Promise.all(
    gateways.map(async (gateway) => {
      const answers = await Promise.all(Array.from({ length: 2 * LEFT }, () => gateway.chat(limited.key)));
      const codes = answers.map(codeOf);
      expect(new Set(codes)).toEqual(new Set(['200', '429 rate_limit_exceeded']));
      return codes.filter((code) => code === '200').length;
    }),
  );

/** What the database holds as counted and as used, once all that was served has been written. */
async function reconciled(key: Key, served: number): Promise<void> {
  const figures = async () => {
    const [row] = await postgres.query<{ counted: number; used: number }>(
      `select (select month_count::int from key_quota where key_id = $1) as counted,
              (select coalesce(sum(requests), 0)::int from usage_daily where key_id = $1) as used`,
      [key.id],
    );
    return row!;
  };
  await until(async () => (await figures()).used >= served && (await figures()).counted >= served, 5000).catch(
    () => undefined,
  );
  expect(await figures()).toEqual({ counted: served, used: served });
}

/** Both serve on; each lets pass what was left by the counts last seen; all of it is stored once it is back. */
async function serveThrough(comeBack: () => Promise<void>): Promise<void> {
  await until(knownToBeAway, ANSWER_MS_MAX + FOUND_AGAIN_MS_MAX);
  for (const gateway of gateways) {
    const { result, ms } = await timed(answersAt(gateway));
    expect(result).toEqual(AWAY);
    expect(ms).toBeLessThan(AT_ONCE_MS_MAX);
    expect(await state(gateway)).toMatchObject({ status: 'degraded', database: 'away' });
  }
  const passed = await floodLimited();
  for (const count of passed) expect([LEFT, LEFT + 1]).toContain(count); // by the counts that it saw itself
  const before = load.served;
  await until(() => load.served > before + 20, ANSWER_MS_MAX);

  await comeBack();
  await until(back, FOUND_AGAIN_MS_MAX);
  await until(async () => codeOf(await gateways[0].chat(unknownKey)) === '401 invalid_api_key', FOUND_AGAIN_MS_MAX);
  await load.stop();
  expect(load.statuses).toEqual([200]);
  expect(load.longestMs).toBeLessThan(ANSWER_MS_MAX);
  // `answersAt` asked three requests that count at each gateway: a chat, the list, and none for the refused ones.
  await reconciled(busy, load.served + 2 * gateways.length);
  await reconciled(limited, gateways.length + passed[0]! + passed[1]!);
  expect(codeOf(await gateways[0].chat(limited.key))).toBe('429 rate_limit_exceeded');
}

describe('known keys go on, and every request that was served is stored once, when the server', () => {
  test('hangs', async () => {
    await postgres.hang();
    await serveThrough(() => postgres.goOn());
  }, 60_000);

  test('is killed in the middle of it all and started again', async () => {
    await postgres.crash();
    await serveThrough(() => postgres.startAgain());
  }, 60_000);

  test('has no connection left', async () => {
    await useUpConnections();
    await serveThrough(giveBackConnections);
  }, 60_000);
});

test('a gateway that is stopped for some seconds refuses nobody when it goes on, nor does it call the database away', async () => {
  const [gateway] = gateways;
  const [before, said] = [load.served, gateway.stdout.length];
  gateway.signal('SIGSTOP');
  const begun = performance.now();
  await until(() => performance.now() - begun > 3500 && load.served > before, 20_000);
  gateway.signal('SIGCONT');
  const after = load.served;
  await until(() => load.served > after + 50, ANSWER_MS_MAX);
  await load.stop();
  expect(load.statuses).toEqual([200]);
  expect(gateway.stdout.slice(said)).not.toMatch(/was lost/);
  await reconciled(busy, load.served);
}, 60_000);

test('with GW_DB_OUTAGE=closed nobody is served meanwhile, and it is not ready', async () => {
  await load.stop();
  const closed = await TestGateway.start({ GW_DB_OUTAGE: 'closed' }, { upstream, databaseUrl: postgres.url });
  expect((await closed.chat(busy.key)).status).toBe(200);
  await postgres.proxy.goAway();
  await until(async () => (await closed.call('GET', '/health/ready')).status === 503, ANSWER_MS_MAX);
  expect(codeOf(await closed.chat(busy.key))).toBe('503 service_unavailable');
  expect(codeOf(await closed.chat(mistypedKey))).toBe('401 invalid_api_key');
  await postgres.proxy.comeBack();
  await until(async () => (await closed.chat(busy.key)).status === 200, FOUND_AGAIN_MS_MAX);
  await closed.stop();
}, 60_000);

/** Takes every connection there is, those of the gateways too: with all in its hands nobody else can have one. */
async function useUpConnections(): Promise<void> {
  holders.push(await postgres.connect());
  while (holders.length < CONNECTIONS) {
    await holders[0]!.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'gateway%'`,
    );
    const more = Array.from({ length: CONNECTIONS - holders.length }, () => postgres.connect().catch(() => null));
    holders.push(...(await Promise.all(more)).filter((client) => client !== null));
  }
}

async function giveBackConnections(): Promise<void> {
  await Promise.all(holders.splice(0).map((holder) => holder.end()));
}
