import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { generateKey } from '../../src/keys/key-format.js';
import { FickleProxy } from '../database/fickle-proxy.js';
import { until } from '../database/until.js';
import { GatewayProcess, TEST_SETTINGS } from '../support/gateway-process.js';
import type { Answer } from '../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';

/** 2 s are promised, on a machine that has something to spare. */
const ANSWER_MS_MAX = 4000;
const FOUND_AGAIN_MS_MAX = 5000;

let scratch: ScratchDatabase;
let upstream: ScriptedUpstream;

beforeEach(async () => {
  [scratch, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
});
afterEach(async () => {
  await GatewayProcess.endAll();
  await upstream.stop();
  await scratch.drop();
});

/** Of the right form, its checksum too. */
const unknownKey = generateKey();
const mistypedKey = `${unknownKey.slice(0, -1)}${unknownKey.endsWith('0') ? '1' : '0'}`;

const codeOf = ({ status, body }: Answer) => [status, (body.error as { code: string } | undefined)?.code];

describe('a start without database', () => {
  test('listens, alive and not ready, refuses no good key as wrong, and is ready within 5 s of its coming', async () => {
    const proxy = await FickleProxy.start(scratch.url);
    await proxy.goAway();
    const gateway = GatewayProcess.launch({
      ...TEST_SETTINGS,
      DATABASE_URL: proxy.url,
      GW_UPSTREAM_BASE_URL: upstream.url,
    });
    await gateway.whenListening();
    const paths = ['/health', '/health/live', '/health/ready'];
    const answers = await Promise.all(paths.map((path) => gateway.call('GET', path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 503]);
    expect(codeOf(await gateway.chat(unknownKey))).toEqual([503, 'service_unavailable']);
    expect(codeOf(await gateway.chat(mistypedKey))).toEqual([401, 'invalid_api_key']);

    await proxy.comeBack();
    await until(async () => (await gateway.call('GET', '/health/ready')).status === 200, FOUND_AGAIN_MS_MAX);
    const { key } = await gateway.createKey();
    expect((await gateway.chat(key)).status).toBe(200);
    expect(codeOf(await gateway.chat(unknownKey))).toEqual([401, 'invalid_api_key']);
    await gateway.kill();
    await proxy.goAway();
  });
});

describe('a database that goes in mid-life', () => {
  test('makes requests 503 and never 401, none waits for it, and all that was served is counted once', async () => {
    const gateway = await GatewayProcess.start({ DATABASE_URL: scratch.url, GW_UPSTREAM_BASE_URL: upstream.url });
    const { id, key } = await gateway.createKey();
    const load = new Load(gateway, key);
    await until(() => load.count(200) > 50, 10_000);

    await allowConnections(false);
    await until(() => load.count(503) > 20, ANSWER_MS_MAX);
    expect(codeOf(await gateway.chat(unknownKey))).toEqual([503, 'service_unavailable']);
    expect(codeOf(await gateway.chat(mistypedKey))).toEqual([401, 'invalid_api_key']);
    expect((await gateway.call('GET', '/health/live')).status).toBe(200);
    expect((await gateway.call('GET', '/health/ready')).body).toMatchObject({ database: 'away' });

    const before = load.count(200);
    await allowConnections(true);
    await until(() => load.count(200) > before + 50, FOUND_AGAIN_MS_MAX);
    await load.stop();
    expect(load.statuses()).toEqual([200, 503]);
    expect(load.longestMs).toBeLessThan(ANSWER_MS_MAX);

    const served = load.count(200);
    expect(upstream.requests.filter(({ method }) => method === 'POST')).toHaveLength(served);
    await gateway.stop();
    expect(await figures(id)).toEqual({ counted: served, used: served });
  });
});

/** Four clients that ask again as soon as they are answered, refused ones after a moment. */
class Load {
  longestMs = 0;
  private readonly counts = new Map<number, number>();
  private stopped = false;
  private readonly clients: Promise<void>[];

  constructor(gateway: GatewayProcess, key: string) {
    this.clients = Array.from({ length: 4 }, () => this.ask(gateway, key));
  }

  count(status: number): number {
    return this.counts.get(status) ?? 0;
  }

  statuses(): number[] {
    return [...this.counts.keys()].sort();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  private async ask(gateway: GatewayProcess, key: string): Promise<void> {
    while (!this.stopped) {
      const begun = performance.now();
      const { status } = await gateway.chat(key);
      this.longestMs = Math.max(this.longestMs, performance.now() - begun);
      this.counts.set(status, this.count(status) + 1);
    }
  }
}

/** As a failing server does it: nobody comes in, and who was in is thrown out. */
async function allowConnections(allowed: boolean): Promise<void> {
  const name = new URL(scratch.url).pathname.slice(1);
  const server = new Client({ connectionString: process.env.GW_TEST_DATABASE_URL });
  await server.connect();
  await server.query(`alter database "${name}" allow_connections ${allowed}`);
  if (!allowed) await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await server.end();
}

/** Requests of the key as quota and as usage have them. */
async function figures(keyId: string): Promise<unknown> {
  const client = new Client({ connectionString: scratch.url });
  await client.connect();
  const { rows } = await client.query(
    `select (select month_count::int from key_quota where key_id = $1) as counted,
            (select sum(requests)::int from usage_daily where key_id = $1) as used`,
    [keyId],
  );
  await client.end();
  return rows[0];
}
