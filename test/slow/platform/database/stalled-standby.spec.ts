import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ADMIN_KEY } from '../../../support/gateway.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { ReplicatedPostgres } from '../../../support/replicated-postgres.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { until } from '../../../support/until.js';

interface AuditLogs extends Record<string, unknown> {
  readonly logs: readonly { readonly action: string; readonly target_id: string }[];
}

/** All commits wait for the standby, which confirms none while it stalls. */
describe('a synchronous standby that stalls', () => {
  let postgres: ReplicatedPostgres;
  let upstream: ScriptedUpstream;

  beforeEach(async () => {
    [postgres, upstream] = await Promise.all([ReplicatedPostgres.start(), startUpstream()]);
  });
  afterEach(async () => {
    await GatewayProcess.endAll();
    await Promise.all([upstream.stop(), postgres.drop()]);
  });

  const start = (env: Record<string, string> = {}) =>
    GatewayProcess.start({ DATABASE_URL: postgres.primary, GW_UPSTREAM_BASE_URL: upstream.url, ...env });
  const stall = async () => {
    await postgres.stopReplication();
    await synchronous(`'ANY 1 (standby)'`);
  };
  const resume = () => synchronous(`''`);
  const synchronous = async (names: string) => {
    await postgres.onPrimary(`alter system set synchronous_standby_names = ${names}`);
    await postgres.onPrimary('select pg_reload_conf()');
    await until(async () => {
      const [row] = await postgres.onPrimary<{ names: string }>(
        `select setting as names from pg_settings where name = 'synchronous_standby_names'`,
      );
      return `'${row!.names}'` === names;
    });
  };
  const readiness = async (gateway: GatewayProcess) => (await gateway.call('GET', '/health/ready')).body;

  test('a change is reported as unknown, can be queried, and readiness shows that writes wait', async () => {
    const gateway = await start();
    const { id, key } = await gateway.createKey();
    expect((await gateway.chat(key)).status).toBe(200);
    expect(await readiness(gateway)).toMatchObject({ status: 'ready', database: 'ready' });
    await stall();
    const revoked = await gateway.admin<{ error: { code: string } }>('POST', `/${id}/revoke`);
    expect(revoked.status).toBe(503);
    expect(revoked.body.error.code).toBe('outcome_unknown');
    expect(revoked.headers.get('retry-after')).toBeNull();
    await until(async () => (await readiness(gateway)).database === 'away');
    expect(await readiness(gateway)).toMatchObject({ status: 'degraded', database: 'away' });
    const entries = async () => {
      const path = `/admin/audit-logs?request_id=${revoked.headers.get('x-request-id')}`;
      return (await gateway.call<AuditLogs>('GET', path, { key: ADMIN_KEY })).body.logs;
    };
    await resume();
    await until(async () => (await entries())?.length === 1);
    expect(await entries()).toMatchObject([{ action: 'api_key.revoked', target_id: id }]);
    await until(async () => (await gateway.chat(key)).status === 403);
    await until(async () => (await readiness(gateway)).status === 'ready');
  });

  test('with strict durability, readiness shows that admission counts from memory', async () => {
    const gateway = await start({ GW_QUOTA_DURABILITY: 'strict', GW_DB_OUTAGE: 'closed' });
    const { key } = await gateway.createKey();
    expect((await gateway.chat(key)).status).toBe(200);
    await stall();
    expect((await gateway.chat(key)).status).toBe(503);
    await until(async () => (await gateway.call('GET', '/health/ready')).status === 503);
    await resume();
    await until(async () => (await readiness(gateway)).status === 'ready');
    expect((await gateway.chat(key)).status).toBe(200);
  });

  test('an instance that starts during the stall admits requests', async () => {
    const before = await start();
    const { key } = await before.createKey();
    await stall();
    const after = await start();
    await until(async () => (await after.chat(key)).status === 200);
  });
});
