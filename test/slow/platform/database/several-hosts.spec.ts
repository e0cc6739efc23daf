import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Config } from '../../../../src/platform/config/config.js';
import { connectClient } from '../../../../src/platform/database/database-client.js';
import { FaultProxy } from '../../../support/fault-proxy.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { ReplicatedPostgres } from '../../../support/replicated-postgres.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { until } from '../../../support/until.js';

/** Both servers have the same user, password and database. */
function urlOf(servers: readonly string[], target: string, more = ''): string {
  const { username, password, pathname } = new URL(servers[0]!);
  const hosts = servers.map((server) => new URL(server).host).join(',');
  const url = `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=${target}${more}`;
  return Config.from({ DATABASE_URL: url }).databaseUrl!;
}

describe('target_session_attrs with a primary and a standby', () => {
  let postgres: ReplicatedPostgres;
  beforeAll(async () => {
    postgres = await ReplicatedPostgres.start();
  });
  afterAll(() => postgres.drop());

  const roleAt = async (url: string): Promise<string> => {
    const client = await connectClient({ connectionString: url });
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    await client.end();
    return rows[0]!.standby ? 'standby' : 'primary';
  };

  test.each([
    ['any', 'standby', 'primary'],
    ['read-write', 'primary', 'primary'],
    ['primary', 'primary', 'primary'],
    ['read-only', 'standby', 'standby'],
    ['standby', 'standby', 'standby'],
    ['prefer-standby', 'standby', 'standby'],
  ])('%s reaches the %s if the standby is first, and the %s otherwise', async (target, standbyFirst, primaryFirst) => {
    expect(await roleAt(urlOf([postgres.standby, postgres.primary], target))).toBe(standbyFirst);
    expect(await roleAt(urlOf([postgres.primary, postgres.standby], target))).toBe(primaryFirst);
  });

  test('connections continue with the host in use, so that all are on one server', async () => {
    const url = urlOf([postgres.standby, postgres.primary], 'primary', '&application_name=again');
    expect(await roleAt(url)).toBe('primary');
    expect(await roleAt(url)).toBe('primary');
  });
});

describe('a gateway with both servers in its URL', () => {
  let postgres: ReplicatedPostgres;
  let upstream: ScriptedUpstream;
  let proxy: FaultProxy;

  beforeEach(async () => {
    [postgres, upstream] = await Promise.all([ReplicatedPostgres.start(), startUpstream()]);
    proxy = await FaultProxy.start(postgres.primary);
  });
  afterEach(async () => {
    await GatewayProcess.endAll();
    await proxy.disconnect().catch(() => undefined);
    await Promise.all([upstream.stop(), postgres.drop()]);
  });

  test('all connections move to the new primary after a failover, and known keys are served all the time', async () => {
    const gateway = await GatewayProcess.start({
      DATABASE_URL: urlOf([postgres.standby, proxy.url], 'read-write'),
      GW_UPSTREAM_BASE_URL: upstream.url,
    });
    const { key } = await gateway.createKey();
    expect((await gateway.chat(key)).status).toBe(200);
    await postgres.replicated();
    const statuses = new Set<number>();
    const send = async () => statuses.add((await gateway.chat(key)).status);
    await proxy.disconnect();
    await send();
    await postgres.promote();
    await until(async () => {
      await send();
      return (await gateway.admin('POST', '', { name: 'after', rpm_limit: 9, rpd_limit: 9 })).status === 201;
    });
    expect([...statuses]).toEqual([200]);
    await until(async () => {
      const rows = await postgres.onStandby<{ name: string }>(
        `select distinct application_name as name from pg_stat_activity where application_name like 'gateway%'`,
      );
      return ['gateway', 'gateway-watch', 'gateway admission'].every((name) => rows.some((row) => row.name === name));
    });
  });

  test('a primary that becomes read-only is left for another server', async () => {
    const gateway = await GatewayProcess.start({
      DATABASE_URL: urlOf([proxy.url, postgres.standby], 'read-write'),
      GW_UPSTREAM_BASE_URL: upstream.url,
    });
    await postgres.replicated();
    await postgres.stopReplication();
    await postgres.onPrimary('alter system set default_transaction_read_only = on');
    await postgres.onPrimary('select pg_reload_conf()');
    // No server accepts writes, which readiness shows.
    await until(async () => (await gateway.call('GET', '/health/ready')).body.database !== 'ready');
    await postgres.promote();
    await until(
      async () => (await gateway.admin('POST', '', { name: 'after', rpm_limit: 9, rpd_limit: 9 })).status === 201,
    );
  });
});
