import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { LimitSet } from '../../../src/quota/limits/limit-set.service.js';
import { FaultProxy } from '../../support/fault-proxy.js';
import { TestGateway, type Key } from '../../support/gateway.js';
import { createScratchDatabase } from '../../support/scratch-database.js';

let gateway: TestGateway;
let source: DataSource;
let key: Key;
beforeAll(async () => {
  gateway = await TestGateway.start();
  source = gateway.app.get(DataSource);
  key = await gateway.createKey({ tags: ['prod'] });
});
afterAll(() => gateway.stop());
beforeEach(() => source.query('delete from limits').then(() => gateway.app.get(LimitSet).refresh()));

const create = async (fields: object) => {
  const given = { scope: 'account', measure: 'requests', period: 'total', amount: 1000, ...fields };
  const response = await gateway.admin<{ id: number }>('POST', '/admin/limits', given);
  if (response.status !== 201) throw new Error(response.text);
  return response.body.id;
};
const usage = async () =>
  (await gateway.call<{ limits?: Record<string, unknown>[] }>('GET', '/v1/usage', { key })).body;

describe('GET /v1/usage', () => {
  test('has no limits if none applies to the key', async () => {
    const other = await gateway.createKey();
    await create({ scope: 'key', key_id: other.id });
    await create({ scope: 'tag', tag: 'test' });
    await create({ enabled: false });
    expect(Object.keys(await usage())).toEqual([
      'object',
      'key_id',
      'key_name',
      'status',
      'expires_at',
      'is_expired',
      'last_used_at',
      'allowed_models',
      'this_minute',
      'today',
      'this_month',
    ]);
  });

  test('shows every limit that applies, including limits of single models, with its current figures', async () => {
    const budget = await create({ measure: 'cost', period: 'month', amount: '10', name: 'Budget' });
    const tagged = await create({ scope: 'tag', tag: 'prod', models: ['gpt-4o*'], mode: 'observe', amount: 5 });
    await create({ starts_at: '2999-01-01' });
    await source.query('update limit_counters set used = 2500000000, held = 500000000 where limit_id = $1', [budget]);
    await source.query('update limit_counters set used = 7, held = 0 where limit_id = $1', [tagged]);
    const { limits } = await usage();
    expect(limits).toEqual([
      {
        id: tagged,
        name: null,
        scope: 'tag',
        measure: 'requests',
        period: 'total',
        models: ['gpt-4o*'],
        amount: 5,
        used: 7,
        reserved: 0,
        remaining: 0,
        resets_at: null,
        mode: 'observe',
      },
      {
        id: budget,
        name: 'Budget',
        scope: 'account',
        measure: 'cost',
        period: 'month',
        models: null,
        amount: '10',
        used: '2.5',
        reserved: '0.5',
        remaining: '7',
        mode: 'enforce',
        resets_at: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
      },
    ]);
  });

  test('shows the amount with top-ups, and each change immediately', async () => {
    const id = await create({});
    await gateway.admin('POST', `/admin/limits/${id}/top-ups`, { amount: 50 });
    expect((await usage()).limits).toMatchObject([{ amount: 1050, remaining: 1050 }]);
    await gateway.admin('PATCH', `/admin/limits/${id}`, { amount: 10 });
    expect((await usage()).limits).toMatchObject([{ amount: 60 }]);
    await gateway.admin('DELETE', `/admin/limits/${id}`);
    expect((await usage()).limits).toBeUndefined();
  });

  test('hides a raw key in the name of a limit', async () => {
    await create({ name: `for ${key.key}` });
    expect(JSON.stringify(await usage())).not.toContain(key.key);
  });
});

test('while the database is unavailable, GET /v1/usage shows the limits without figures', async () => {
  const scratch = await createScratchDatabase();
  const proxy = await FaultProxy.start(scratch.url);
  const cut = await TestGateway.start({}, { databaseUrl: proxy.url });
  try {
    const { id: keyId, key: rawKey } = await cut.createKey();
    const draft = { scope: 'key', key_id: keyId, measure: 'requests', period: 'total', amount: 1000, name: 'Budget' };
    await cut.admin('POST', '/admin/limits', draft);
    const usageOf = () => cut.call<{ limits?: object[] }>('GET', '/v1/usage', { key: rawKey });
    await cut.chat(rawKey);
    expect((await usageOf()).body.limits).toMatchObject([{ amount: 1000, used: 1 }]);
    await proxy.disconnect();
    const { status, body } = await usageOf();
    expect([status, body.limits]).toMatchObject([
      200,
      [{ name: 'Budget', amount: 1000, used: null, reserved: null, remaining: null, resets_at: null, mode: 'enforce' }],
    ]);
  } finally {
    await proxy.reconnect();
    await cut.stop();
    await scratch.drop();
  }
});
