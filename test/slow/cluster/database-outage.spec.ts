import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from 'pg';
import { until } from '../../support/until.js';
import { generateKey } from '../../../src/keys/key-format.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { ADMIN_KEY, TestGateway, type Response, type Key } from '../../support/gateway.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { OutageLoad, type Gateway } from '../../support/outage-load.js';
import { CONNECTIONS, OwnPostgres } from '../../support/own-postgres.js';

const LEFT = 5;

let postgres: OwnPostgres;
let upstream: ScriptedUpstream;
/** One gateway in a separate process, and one in this process. */
let gateways: [GatewayProcess, TestGateway];
const holders: Client[] = [];
/** The gateways in this process. A gateway that is not stopped after a failed start would keep the test run alive. */
const inside: TestGateway[] = [];
let busy: Key;
let limited: Key;
let load: OutageLoad;

beforeAll(async () => {
  [postgres, upstream] = await Promise.all([OwnPostgres.start(), startUpstream()]);
  const apart = await GatewayProcess.start({ DATABASE_URL: postgres.url, GW_UPSTREAM_BASE_URL: upstream.url });
  inside.push(await TestGateway.start({}, { upstream, databaseUrl: postgres.url }));
  gateways = [apart, inside[0]!];
});
beforeEach(async () => {
  busy = await gateways[0].createKey();
  limited = await gateways[0].createKey({ monthly_limit: LEFT + 2 });
  for (const gateway of gateways) expect((await gateway.chat(limited.key)).status).toBe(200);
  load = new OutageLoad(gateways, busy.key);
  await until(() => load.served > 40);
});
afterEach(async () => {
  await load?.stop();
  // In case a failed test left the outage in place.
  await releaseConnections();
  await postgres.goOn();
  await until(outageOver);
});
afterAll(async () => {
  await Promise.all([...inside.map((gateway) => gateway.stop()), GatewayProcess.endAll()]);
  await upstream.stop();
  await postgres.drop();
});

const unknownKey = generateKey();
const mistypedKey = `${unknownKey.slice(0, -1)}${unknownKey.endsWith('0') ? '1' : '0'}`;

const codeOf = ({ status, body }: Response) =>
  `${status} ${(body.error as { code: string } | undefined)?.code ?? ''}`.trimEnd();
const state = async (gateway: Gateway) => (await gateway.call('GET', '/health/ready')).body;
const both = async (is: (gateway: Gateway) => Promise<boolean>) => (await Promise.all(gateways.map(is))).every(Boolean);
const outageDetected = () => both(async (gateway) => (await state(gateway)).database === 'away');
const outageOver = () => both(async (gateway) => (await state(gateway)).database === 'ready');

async function answersAt(gateway: Gateway): Promise<Record<string, string>> {
  const { key } = busy;
  const calls: Record<string, Promise<Response>> = {
    known: gateway.chat(key),
    usage: gateway.call('GET', '/v1/usage', { key }),
    models: gateway.call('GET', '/v1/models', { key }),
    'unknown model': gateway.chat(key, { model: 'no-such-model' }),
    unknown: gateway.chat(unknownKey),
    mistyped: gateway.chat(mistypedKey),
    admin: gateway.call('POST', `/admin/api-keys/${busy.id}/suspend`, { key: ADMIN_KEY }),
  };
  const responses = Object.entries(calls).map(async ([name, call]) => [name, codeOf(await call)] as const);
  return Object.fromEntries(await Promise.all(responses));
}

const DURING_OUTAGE = {
  known: '200',
  usage: '200',
  models: '200',
  'unknown model': '403 model_not_available',
  unknown: '503 service_unavailable',
  mistyped: '401 invalid_api_key',
  admin: '503 service_unavailable',
};

/** Sends twice as many requests as are left to each gateway. Returns how many of them pass. */
const floodLimited = async () =>
  Promise.all(
    gateways.map(async (gateway) => {
      const responses = await Promise.all(Array.from({ length: 2 * LEFT }, () => gateway.chat(limited.key)));
      const codes = responses.map(codeOf);
      expect(new Set(codes)).toEqual(new Set(['200', '429 rate_limit_exceeded']));
      return codes.filter((code) => code === '200').length;
    }),
  );

async function reconciled(key: Key, served: number): Promise<void> {
  const figures = async () => {
    const [row] = await postgres.query<{ counted: number; used: number }>(
      `select (select month_count::int from key_quota where key_id = $1) as counted,
              (select coalesce(sum(requests), 0)::int from usage_daily where key_id = $1) as used`,
      [key.id],
    );
    return row!;
  };
  await until(async () => (await figures()).used >= served && (await figures()).counted >= served).catch(
    () => undefined,
  );
  expect(await figures()).toEqual({ counted: served, used: served });
}

/** Expects both gateways to serve known keys up to their last known limits, and to store all requests after the outage. */
async function serveThrough(endOutage: () => Promise<void>): Promise<void> {
  await until(outageDetected);
  for (const gateway of gateways) {
    expect(await answersAt(gateway)).toEqual(DURING_OUTAGE);
    expect(await state(gateway)).toMatchObject({ status: 'degraded', database: 'away' });
  }
  const passed = await floodLimited();
  for (const count of passed) expect([LEFT, LEFT + 1]).toContain(count); // each gateway has only its own counts
  const before = load.served;
  await until(() => load.served > before + 20);

  await endOutage();
  await until(outageOver);
  await until(async () => codeOf(await gateways[0].chat(unknownKey)) === '401 invalid_api_key');
  await load.stop();
  expect(load.statuses).toEqual([200]);
  // At each gateway `answersAt` sent two requests that count: a chat and the model list.
  await reconciled(busy, load.served + 2 * gateways.length);
  await reconciled(limited, gateways.length + passed[0]! + passed[1]!);
  expect(codeOf(await gateways[0].chat(limited.key))).toBe('429 rate_limit_exceeded');
}

describe('outages of the database server', () => {
  test('known keys are served and every request is stored once if the server hangs', async () => {
    await postgres.hang();
    await serveThrough(() => postgres.goOn());
  });

  test('known keys are served and every request is stored once if the server crashes and restarts', async () => {
    await postgres.crash();
    await serveThrough(() => postgres.startAgain());
  });

  test('known keys are served and every request is stored once if the server has no connections left', async () => {
    await exhaustConnections();
    await serveThrough(releaseConnections);
  });
});

test('a gateway that was suspended for seconds rejects no request and reports no outage', async () => {
  const [gateway] = gateways;
  const [before, loggedBefore] = [load.served, gateway.stdout.length];
  gateway.signal('SIGSTOP');
  const begun = performance.now();
  await until(() => performance.now() - begun > 3500 && load.served > before);
  gateway.signal('SIGCONT');
  const after = load.served;
  await until(() => load.served > after + 50);
  await load.stop();
  expect(load.statuses).toEqual([200]);
  expect(gateway.stdout.slice(loggedBefore)).not.toMatch(/was lost/);
  await reconciled(busy, load.served);
});

test('a gateway with GW_DB_OUTAGE=closed serves no request during an outage and is not ready', async () => {
  await load.stop();
  const closed = await TestGateway.start({ GW_DB_OUTAGE: 'closed' }, { upstream, databaseUrl: postgres.url });
  expect((await closed.chat(busy.key)).status).toBe(200);
  await postgres.proxy.disconnect();
  await until(async () => (await closed.call('GET', '/health/ready')).status === 503);
  expect(codeOf(await closed.chat(busy.key))).toBe('503 service_unavailable');
  expect(codeOf(await closed.chat(mistypedKey))).toBe('401 invalid_api_key');
  await postgres.proxy.reconnect();
  await until(async () => (await closed.chat(busy.key)).status === 200);
  await closed.stop();
});

/** Opens all connections that the server allows, and terminates those of the gateways. */
async function exhaustConnections(): Promise<void> {
  holders.push(await postgres.connect());
  while (holders.length < CONNECTIONS) {
    await holders[0]!.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'gateway%'`,
    );
    const more = Array.from({ length: CONNECTIONS - holders.length }, () => postgres.connect().catch(() => null));
    holders.push(...(await Promise.all(more)).filter((client) => client !== null));
  }
}

async function releaseConnections(): Promise<void> {
  await Promise.all(holders.splice(0).map((holder) => holder.end()));
}
