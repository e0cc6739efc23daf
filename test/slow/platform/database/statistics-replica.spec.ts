import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FaultProxy } from '../../../support/fault-proxy.js';
import { ADMIN_KEY } from '../../../support/gateway.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { ReplicatedPostgres } from '../../../support/replicated-postgres.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { until } from '../../../support/until.js';

const NOT_USED = 'Reports read from the primary, because 127.0.0.1';

interface Usage extends Record<string, unknown> {
  readonly totals?: { readonly requests: number };
}

describe('reports from a replica', () => {
  let postgres: ReplicatedPostgres;
  let upstream: ScriptedUpstream;
  let replica: FaultProxy;

  beforeEach(async () => {
    [postgres, upstream] = await Promise.all([ReplicatedPostgres.start(), startUpstream()]);
    replica = await FaultProxy.start(postgres.standby);
  });
  afterEach(async () => {
    await GatewayProcess.endAll();
    await replica.disconnect().catch(() => undefined);
    await Promise.all([upstream.stop(), postgres.drop()]);
  });

  const start = (lagMaxSeconds: number) =>
    GatewayProcess.start({
      DATABASE_URL: postgres.primary,
      GW_STATISTICS_DATABASE_URL: replica.url,
      GW_STATISTICS_LAG_MAX_SECONDS: String(lagMaxSeconds),
      GW_UPSTREAM_BASE_URL: upstream.url,
      GW_LOG_SAMPLE_RATE: '1',
    });
  const report = (gateway: GatewayProcess, path: string) => gateway.call('GET', path, { key: ADMIN_KEY });
  const requests = async (gateway: GatewayProcess) => {
    const { body } = await gateway.call<Usage>('GET', '/admin/usage', { key: ADMIN_KEY });
    return body.totals?.requests;
  };
  /** Waits until the replica has served a report. */
  const untilUsed = (gateway: GatewayProcess) =>
    until(async () => {
      await report(gateway, '/admin/request-errors');
      const served = await postgres.onStandby(
        `select from pg_stat_activity where application_name = 'gateway-statistics' and query like '-- Failed requests in total%'`,
      );
      return served.length > 0;
    });
  const lines = ({ stdout }: GatewayProcess, text: string) => stdout.split(text).length - 1;

  test('reports are read from the replica, and from the primary while the replica is unavailable', async () => {
    const gateway = await start(3600);
    await untilUsed(gateway);
    const { key } = await gateway.createKey();
    expect((await gateway.chat(key)).status).toBe(200);
    await until(async () => (await requests(gateway)) === 1);
    for (const path of [
      '/admin/costs',
      '/admin/requests',
      '/admin/request-errors',
      '/admin/model-stats',
      '/admin/usage',
    ])
      expect([path, (await report(gateway, path)).status]).toEqual([path, 200]);
    await replica.disconnect();
    expect((await report(gateway, '/admin/usage')).status).toBe(200);
    await until(() => lines(gateway, NOT_USED) === 1);
    await replica.reconnect();
    await until(() => /Reports read from 127\.0\.0\.1:\d+ again/.test(gateway.stdout));
  });

  test('reports are read from the primary while the replica lags too far behind', async () => {
    const gateway = await start(1);
    await untilUsed(gateway);
    await postgres.stopReplication();
    const { key } = await gateway.createKey();
    expect((await gateway.chat(key)).status).toBe(200);
    await until(async () => (await requests(gateway)) === 1);
    expect(gateway.stdout).toContain('it is more than 1 s behind');
  });
});
