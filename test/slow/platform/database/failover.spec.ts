import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FaultProxy } from '../../../support/fault-proxy.js';
import { ADMIN_KEY } from '../../../support/gateway.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { ReplicatedPostgres } from '../../../support/replicated-postgres.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { until } from '../../../support/until.js';

interface Lost extends Record<string, unknown> {
  readonly changes?: readonly { readonly action: string; readonly target_id: string }[];
}

/** Three instances behind a proxy for each, so that a split brain can reach some of them only. */
describe('failover to another server', () => {
  let postgres: ReplicatedPostgres;
  let upstream: ScriptedUpstream;
  let proxies: FaultProxy[];
  let gateways: GatewayProcess[];

  beforeEach(async () => {
    [postgres, upstream] = await Promise.all([ReplicatedPostgres.start(), startUpstream()]);
    proxies = await Promise.all([1, 2, 3].map(() => FaultProxy.start(postgres.primary)));
    gateways = [];
    for (const proxy of proxies)
      gateways.push(await GatewayProcess.start({ DATABASE_URL: proxy.url, GW_UPSTREAM_BASE_URL: upstream.url }));
    await postgres.replicated();
  });

  afterEach(async () => {
    await GatewayProcess.endAll();
    await Promise.all(proxies.map((proxy) => proxy.disconnect()));
    await Promise.all([upstream.stop(), postgres.drop()]);
  });

  const statuses = (key: string, model = 'gpt-4o-mini') =>
    Promise.all(gateways.map(async (gateway) => (await gateway.chat(key, { model })).status));
  const everywhere = (key: string, status: number, model?: string) =>
    until(async () => (await statuses(key, model)).every((found) => found === status));
  /** Waits until each process has read the audit log again. */
  const untilRemembered = async () => {
    const [{ now }] = (await postgres.onPrimary<{ now: string }>('select clock_timestamp()::text as now')) as [
      { now: string },
    ];
    const readers = new Set<number>();
    await until(async () => {
      const rows = await postgres.onPrimary<{ pid: number }>(
        `select pid from pg_stat_activity
          where application_name = 'gateway-watch' and query like '%from audit\\_logs%' and query_start > '${now}' and state = 'idle'`,
      );
      for (const { pid } of rows) readers.add(pid);
      return readers.size === gateways.length;
    });
  };
  const switchAll = (url: string) => proxies.forEach((proxy) => proxy.switchTo(url));

  test('after a clean failover, every instance serves its keys and creates new ones', async () => {
    const { key } = await gateways[0]!.createKey();
    await everywhere(key, 200);
    await postgres.replicated();
    await postgres.promote();
    switchAll(postgres.standby);
    await everywhere(key, 200);
    await until(async () => (await gateways[1]!.admin('POST', '', { name: 'after' })).status === 201);
  });

  test('after a split brain, every instance agrees with the new primary on keys and models', async () => {
    const before = await gateways[0]!.createKey();
    await everywhere(before.key, 200);
    await postgres.replicated();
    await postgres.stopReplication();
    await postgres.promote();
    // Two instances reach the new primary. The third one still uses the old one.
    for (const proxy of proxies.slice(0, 2)) proxy.switchTo(postgres.standby);
    await until(async () => (await gateways[0]!.admin('POST', '', { name: 'probe' })).status === 201);
    const after = await gateways[0]!.createKey();
    expect((await gateways[2]!.chat(after.key)).status).toBe(401);
    const body = { model: 'gpt-4o-mini', enabled: false };
    const blocked = await gateways[0]!.call('POST', '/admin/model-allowlist', { key: ADMIN_KEY, body });
    expect(blocked.status).toBe(200);
    expect((await gateways[2]!.chat(before.key)).status).toBe(200);
    proxies[2]!.switchTo(postgres.standby);
    await everywhere(before.key, 403);
    await everywhere(after.key, 403);
  });

  test('after the failover to an asynchronous standby, every instance enforces and reports the lost changes', async () => {
    const [revoked, rotated, kept] = [
      await gateways[0]!.createKey(),
      await gateways[0]!.createKey(),
      await gateways[0]!.createKey(),
    ];
    for (const { key } of [revoked, rotated, kept]) await everywhere(key, 200);
    await postgres.replicated();
    await postgres.stopReplication();
    expect((await gateways[0]!.admin('POST', `/${revoked.id}/revoke`)).status).toBe(200);
    const { body } = await gateways[0]!.admin<{ key: string }>('POST', `/${rotated.id}/rotate`);
    await everywhere(revoked.key, 403);
    await everywhere(body.key, 200);
    await untilRemembered();
    await postgres.promote();
    switchAll(postgres.standby);
    await everywhere(kept.key, 200);
    await everywhere(body.key, 200);
    await everywhere(revoked.key, 403);
    await everywhere(rotated.key, 401);
    const lost = async () => {
      const lists = await Promise.all(
        gateways.map((gateway) => gateway.call<Lost>('GET', '/admin/lost-changes', { key: ADMIN_KEY })),
      );
      return lists.map(({ body: { changes } }) =>
        changes?.map(({ action, target_id: id }) => `${action} ${id}`).sort(),
      );
    };
    const expected = [`api_key.revoked ${revoked.id}`, `api_key.rotated ${rotated.id}`];
    await until(async () => (await lost()).every((found) => String(found) === String(expected)));
    expect(gateways.every(({ stdout }) => stdout.includes('The database has lost 2 changes'))).toBe(true);
    // A process that has not seen the changes enforces them too.
    const later = await GatewayProcess.start({ DATABASE_URL: postgres.standby, GW_UPSTREAM_BASE_URL: upstream.url });
    await until(async () => (await later.chat(revoked.key)).status === 403);
  });

  test('after the failover to an asynchronous standby, the lost usage and token counts are stored again once', async () => {
    const { id, key } = await gateways[0]!.createKey();
    const tokensOn = async (on: 'onPrimary' | 'onStandby') => {
      const [row] = await postgres[on]<{ requests: string; tokens: string }>(
        `select requests, input_tokens + output_tokens as tokens from usage_monthly where key_id = '${id}'`,
      );
      return { requests: Number(row?.requests ?? 0), tokens: Number(row?.tokens ?? 0) };
    };
    const served = async (count: number) => {
      for (let n = 0; n < count; n++) expect((await gateways[n % gateways.length]!.chat(key)).status).toBe(200);
    };
    await served(3);
    await until(async () => (await tokensOn('onPrimary')).requests === 3);
    await postgres.replicated();
    await postgres.stopReplication();
    await served(6);
    await until(async () => (await tokensOn('onPrimary')).requests === 9);
    const all = await tokensOn('onPrimary');
    await postgres.promote();
    switchAll(postgres.standby);
    await until(async () => (await tokensOn('onStandby')).requests >= 9);
    expect(await tokensOn('onStandby')).toEqual(all);
    await served(3);
    await until(async () => (await tokensOn('onStandby')).requests >= 12);
    expect(await tokensOn('onStandby')).toEqual({ requests: 12, tokens: (all.tokens / 9) * 12 });
    expect(gateways.every(({ stdout }) => /has lost \d+ batches of usage/.test(stdout))).toBe(true);
  });

  test('an instance that only reaches a standby serves reads and known keys', async () => {
    const { id, key } = await gateways[0]!.createKey();
    await everywhere(key, 200);
    await postgres.replicated();
    switchAll(postgres.standby);
    await until(async () => (await gateways[0]!.admin('GET', `/${id}`)).status === 200);
    expect((await gateways[0]!.chat(key)).status).toBe(200);
    expect((await gateways[0]!.admin('POST', '', { name: 'rejected' })).status).toBe(503);
    switchAll(postgres.primary);
    await until(async () => (await gateways[0]!.admin('POST', '', { name: 'accepted' })).status === 201);
  });

  test('an instance that used the new primary refuses connections to the old one', async () => {
    const { key } = await gateways[0]!.createKey();
    await everywhere(key, 200);
    await postgres.replicated();
    await postgres.stopReplication();
    await postgres.promote();
    switchAll(postgres.standby);
    await until(async () => (await gateways[0]!.admin('POST', '', { name: 'probe' })).status === 201);
    proxies[0]!.switchTo(postgres.primary);
    await until(() => gateways[0]!.stdout.includes('fence the old primary'));
    expect((await gateways[0]!.admin('POST', '', { name: 'lost' })).status).toBe(503);
    expect((await gateways[0]!.chat(key)).status).toBe(200);
    proxies[0]!.switchTo(postgres.standby);
    await until(async () => (await gateways[0]!.admin('POST', '', { name: 'kept' })).status === 201);
    expect(await postgres.onPrimary(`select from api_keys where name = 'lost'`)).toEqual([]);
  });
});
