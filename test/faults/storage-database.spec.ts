import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { generateKey } from '../../src/keys/key-format.js';
import type { Answer, Key } from '../support/gateway.js';
import { FOUND_AGAIN_MS_MAX, LoadedGateway, PLENTY_MS } from './loaded-gateway.js';
import { expectEachOnce } from './storage-figures.js';

const SLOW_MS = 300;

let loaded: LoadedGateway;

beforeAll(async () => {
  loaded = await LoadedGateway.start();
}, 60_000);
beforeEach(() => loaded.begin());
afterEach(async () => {
  await loaded.load.stop();
  // Whatever a test that failed has left.
  await setReadOnly(false);
});
afterAll(() => loaded.stop());

const codeOf = ({ status, body }: Answer) =>
  `${status} ${(body.error as { code: string } | undefined)?.code ?? ''}`.trimEnd();
const suspend = (key: Key) => loaded.gateway.admin('POST', `/admin/api-keys/${key.id}/suspend`);

describe('a database that', () => {
  test('is restarted in an orderly way, under load: nobody is refused, every request is stored once', async () => {
    const started = async () =>
      (await loaded.ask<{ at: Date }>('select pg_postmaster_start_time() as at'))[0]!.at.getTime();
    const before = await started();
    const [file] = await loaded.ask<{ text: string }>(`select pg_read_file('postmaster.pid') as text`);
    process.kill(Number(file!.text.split('\n')[0]), 'SIGINT');
    await until(async () => (await started().catch(() => before)) > before, PLENTY_MS);
    await until(async () => (await loaded.gateway.chat(generateKey())).status === 401, FOUND_AGAIN_MS_MAX);
    await loaded.goesOn(50);
    await loaded.expectNobodyNoticed();
  }, 60_000);

  test('takes no write: known keys go on, changes are 503 and not made, every request is stored once', async () => {
    const limited = await loaded.gateway.createKey({ monthly_limit: 5 });
    expect((await loaded.gateway.chat(limited)).status).toBe(200);
    await setReadOnly(true);
    await loaded.goesOn(50);
    const codes = (await Promise.all(Array.from({ length: 8 }, () => loaded.gateway.chat(limited)))).map(codeOf).sort();
    expect(codes).toEqual([...Array(4).fill('200'), ...Array(4).fill('429 rate_limit_exceeded')]);
    expect(codeOf(await suspend(loaded.busy))).toBe('503 service_unavailable');
    await until(async () => (await loaded.ready()).database === 'away', FOUND_AGAIN_MS_MAX);
    expect(await loaded.ready()).toMatchObject({ status: 'degraded', database: 'away' });

    await setReadOnly(false);
    await until(async () => (await loaded.ready()).status === 'ready', FOUND_AGAIN_MS_MAX);
    await until(async () => (await suspend(limited)).status === 200, FOUND_AGAIN_MS_MAX);
    expect(codeOf(await loaded.gateway.chat(limited))).toBe('403 api_key_suspended');
    await loaded.goesOn(50);
    await loaded.expectNobodyNoticed();
    await expectEachOnce(loaded.ask, limited.id, 5);
  }, 60_000);

  test('is slow, 300 ms a batch: nobody is refused, it is no outage, a limit holds exactly', async () => {
    const limited = await loaded.gateway.createKey({ monthly_limit: 10 });
    await loaded.ask(
      `create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(${SLOW_MS / 1000}); return new; end'`,
    );
    await loaded.ask(`create trigger slow before update on key_quota for each statement execute function slow()`);
    const codes = (await Promise.all(Array.from({ length: 25 }, () => loaded.gateway.chat(limited)))).map(codeOf);
    await loaded.goesOn(4);
    expect(loaded.load.longestMs).toBeGreaterThanOrEqual(SLOW_MS);
    expect(await loaded.ready()).toMatchObject({ status: 'ready' });
    await loaded.ask('drop trigger slow on key_quota; drop function slow');
    expect(codes.filter((code) => code === '200')).toHaveLength(10);
    await loaded.expectNobodyNoticed();
    await expectEachOnce(loaded.ask, limited.id, 10);
  }, 60_000);
});

/** As after a failover to a standby. The sessions that are open hear of it, too. */
async function setReadOnly(on: boolean): Promise<void> {
  await loaded.ask(`alter system set default_transaction_read_only = ${on ? 'on' : 'off'}`);
  await loaded.ask('select pg_reload_conf()');
}
