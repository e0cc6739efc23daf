import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OutageLoad } from '../cluster/outage-load.js';
import { OwnPostgres } from '../cluster/own-postgres.js';
import { until } from '../database/until.js';
import { generateKey } from '../../src/keys/key-format.js';
import { TestGateway, type Answer, type Key } from '../support/gateway.js';
import { expectEachOnce } from './storage-figures.js';

/** 2 s are promised, on a machine that has something to spare. */
const ANSWER_MS_MAX = 4000;
const FOUND_AGAIN_MS_MAX = 5000;
const PLENTY_MS = 20_000;
const SLOW_MS = 300;

let postgres: OwnPostgres;
let gateway: TestGateway;
let busy: Key;
let load: OutageLoad;

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  gateway = await TestGateway.start({}, { databaseUrl: postgres.url });
}, 60_000);
beforeEach(async () => {
  busy = await gateway.createKey();
  load = new OutageLoad([gateway], busy.key);
  await until(() => load.served > 20, PLENTY_MS);
});
afterEach(async () => {
  await load.stop();
  // Whatever a test that failed has left.
  await setReadOnly(false);
});
afterAll(async () => {
  await gateway.stop();
  await postgres.drop();
});

const ask = <R extends object>(sql: string, parameters?: unknown[]) => postgres.query<R>(sql, parameters);
const codeOf = ({ status, body }: Answer) =>
  `${status} ${(body.error as { code: string } | undefined)?.code ?? ''}`.trimEnd();
const suspend = (key: Key) => gateway.admin('POST', `/admin/api-keys/${key.id}/suspend`);
const ready = async () => (await gateway.call('GET', '/health/ready')).body;
const goesOn = async (requests: number) => {
  const before = load.served;
  await until(() => load.served > before + requests, PLENTY_MS);
};

/** Nobody was refused or kept waiting, and all of it is stored, once. */
async function nobodyNoticed(): Promise<void> {
  await load.stop();
  expect(load.statuses).toEqual([200]);
  expect(load.longestMs).toBeLessThan(ANSWER_MS_MAX);
  await expectEachOnce(ask, busy.id, load.served);
}

describe('a database that', () => {
  test('is restarted in an orderly way, under load: nobody is refused, every request is stored once', async () => {
    const started = async () => (await ask<{ at: Date }>('select pg_postmaster_start_time() as at'))[0]!.at.getTime();
    const before = await started();
    const [file] = await ask<{ text: string }>(`select pg_read_file('postmaster.pid') as text`);
    process.kill(Number(file!.text.split('\n')[0]), 'SIGINT');
    await until(async () => (await started().catch(() => before)) > before, PLENTY_MS);
    await until(async () => (await gateway.chat(generateKey())).status === 401, FOUND_AGAIN_MS_MAX);
    await goesOn(50);
    await nobodyNoticed();
  }, 60_000);

  test('takes no write: known keys go on, changes are 503 and not made, every request is stored once', async () => {
    const limited = await gateway.createKey({ monthly_limit: 5 });
    expect((await gateway.chat(limited)).status).toBe(200);
    await setReadOnly(true);
    await goesOn(50);
    const codes = (await Promise.all(Array.from({ length: 8 }, () => gateway.chat(limited)))).map(codeOf).sort();
    expect(codes).toEqual([...Array(4).fill('200'), ...Array(4).fill('429 rate_limit_exceeded')]);
    expect(codeOf(await suspend(busy))).toBe('503 service_unavailable');
    await until(async () => (await ready()).database === 'away', FOUND_AGAIN_MS_MAX);
    expect(await ready()).toMatchObject({ status: 'degraded', database: 'away' });

    await setReadOnly(false);
    await until(async () => (await ready()).status === 'ready', FOUND_AGAIN_MS_MAX);
    await until(async () => (await suspend(limited)).status === 200, FOUND_AGAIN_MS_MAX);
    expect(codeOf(await gateway.chat(limited))).toBe('403 api_key_suspended');
    await goesOn(50);
    await nobodyNoticed();
    await expectEachOnce(ask, limited.id, 5);
  }, 60_000);

  test('is slow, 300 ms a batch: nobody is refused, it is no outage, a limit holds exactly', async () => {
    const limited = await gateway.createKey({ monthly_limit: 10 });
    await ask(
      `create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(${SLOW_MS / 1000}); return new; end'`,
    );
    await ask(`create trigger slow before update on key_quota for each statement execute function slow()`);
    const codes = (await Promise.all(Array.from({ length: 25 }, () => gateway.chat(limited)))).map(codeOf);
    await goesOn(4);
    expect(load.longestMs).toBeGreaterThanOrEqual(SLOW_MS);
    expect(await ready()).toMatchObject({ status: 'ready' });
    await ask('drop trigger slow on key_quota; drop function slow');
    expect(codes.filter((code) => code === '200')).toHaveLength(10);
    await nobodyNoticed();
    await expectEachOnce(ask, limited.id, 10);
  }, 60_000);
});

/** As after a failover to a standby. The sessions that are open hear of it, too. */
async function setReadOnly(on: boolean): Promise<void> {
  await ask(`alter system set default_transaction_read_only = ${on ? 'on' : 'off'}`);
  await ask('select pg_reload_conf()');
}
