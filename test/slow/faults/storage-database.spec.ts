import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { Outage } from '../../../src/quota/outage.service.js';
import { generateKey } from '../../../src/keys/key-format.js';
import type { Response, Key } from '../../support/gateway.js';
import { LoadedGateway, PLENTY_MS } from './loaded-gateway.js';
import { expectEachOnce } from './storage-figures.js';

const SLOW_MS = 300;

let loaded: LoadedGateway;

beforeAll(async () => {
  loaded = await LoadedGateway.start();
});
beforeEach(() => loaded.begin());
afterEach(async () => {
  await loaded.load.stop();
  // A failed test might have left it read-only.
  await setReadOnly(false);
});
afterAll(() => loaded.stop());

const codeOf = ({ status, body }: Response) =>
  `${status} ${(body.error as { code: string } | undefined)?.code ?? ''}`.trimEnd();
const suspend = (key: Key) => loaded.gateway.admin('POST', `/admin/api-keys/${key.id}/suspend`);

describe('database faults under load', () => {
  test('a fast shutdown and restart of the database rejects no request and stores each one once', async () => {
    const started = async () =>
      (await loaded.query<{ at: Date }>('select pg_postmaster_start_time() as at'))[0]!.at.getTime();
    const before = await started();
    const [file] = await loaded.query<{ text: string }>(`select pg_read_file('postmaster.pid') as text`);
    process.kill(Number(file!.text.split('\n')[0]), 'SIGINT');
    await until(async () => (await started().catch(() => before)) > before, PLENTY_MS);
    await until(async () => (await loaded.gateway.chat(generateKey())).status === 401);
    await loaded.untilServed(50);
    await loaded.expectUnaffectedClients();
  });

  test('serves known keys and rejects changes with 503 while the database is read-only', async () => {
    const limited = await loaded.gateway.createKey({ monthly_limit: 5 });
    expect((await loaded.gateway.chat(limited)).status).toBe(200);
    await setReadOnly(true);
    await loaded.untilServed(50);
    const codes = (await Promise.all(Array.from({ length: 8 }, () => loaded.gateway.chat(limited)))).map(codeOf).sort();
    expect(codes).toEqual([...Array(4).fill('200'), ...Array(4).fill('429 rate_limit_exceeded')]);
    expect(codeOf(await suspend(loaded.busy))).toBe('503 service_unavailable');
    await until(async () => (await loaded.ready()).database === 'away');
    expect(await loaded.ready()).toMatchObject({ status: 'degraded', database: 'away' });

    await setReadOnly(false);
    await until(async () => (await loaded.ready()).status === 'ready');
    await until(async () => (await suspend(limited)).status === 200);
    // Admission reconciles its counts before it uses the database again. Until then, the last read key counts (D22).
    await until(() => !loaded.gateway.app.get(Outage).isActive);
    expect(codeOf(await loaded.gateway.chat(limited))).toBe('403 api_key_suspended');
    await loaded.untilServed(50);
    await loaded.expectUnaffectedClients();
    await expectEachOnce(loaded.query, limited.id, 5);
  });

  test('a slow database, with 300 ms per batch, is not an outage, and limits stay exact', async () => {
    const limited = await loaded.gateway.createKey({ monthly_limit: 10 });
    await loaded.query(
      `create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(${SLOW_MS / 1000}); return new; end'`,
    );
    await loaded.query(`create trigger slow before update on key_quota for each statement execute function slow()`);
    const codes = (await Promise.all(Array.from({ length: 25 }, () => loaded.gateway.chat(limited)))).map(codeOf);
    await loaded.untilServed(4);
    expect(loaded.load.longestMs).toBeGreaterThanOrEqual(SLOW_MS);
    expect(await loaded.ready()).toMatchObject({ status: 'ready' });
    await loaded.query('drop trigger slow on key_quota; drop function slow');
    expect(codes.filter((code) => code === '200')).toHaveLength(10);
    await loaded.expectUnaffectedClients();
    await expectEachOnce(loaded.query, limited.id, 10);
  });
});

/** Simulates a failover to a standby. The setting also applies to open sessions. */
async function setReadOnly(on: boolean): Promise<void> {
  await loaded.query(`alter system set default_transaction_read_only = ${on ? 'on' : 'off'}`);
  await loaded.query('select pg_reload_conf()');
}
