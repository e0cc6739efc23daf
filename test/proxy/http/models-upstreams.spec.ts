import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ModelCatalog } from '../../../src/model-policy/catalog.service.js';
import { PolicyService } from '../../../src/model-policy/policy.service.js';
import { errorCodeIn } from '../../support/responses.js';
import { TestGateway, type Key } from '../../support/gateway.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { until } from '../../support/until.js';
import { listsOnly, UpstreamsFile } from '../../support/upstreams-file.js';

type Entry = Readonly<Record<string, unknown>> & { readonly id: string };

let first: ScriptedUpstream;
let second: ScriptedUpstream;
let file: UpstreamsFile;
let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  [first, second] = await Promise.all([startUpstream(), startUpstream()]);
  listsOnly(first, 'gpt-4o-mini', 'o3');
  listsOnly(second, 'gpt-4o-mini', 'text-embedding-3-small');
  file = new UpstreamsFile({
    upstreams: [
      { name: 'first', base_url: first.url, aliases: { fast: 'gpt-4o-mini' } },
      { name: 'second', base_url: second.url, aliases: { fast: 'gpt-4o-mini', vectors: 'text-embedding-3-small' } },
    ],
    routes: [{ models: 'gpt-*', upstreams: ['second', 'first'] }],
  });
  gateway = await TestGateway.start(file.env, { upstream: first });
  await until(() => gateway.app.get(ModelCatalog).complete);
  key = await gateway.createKey();
});
beforeEach(async () => {
  await gateway.app.get(DataSource).query('delete from model_policies');
  await gateway.app.get(PolicyService).refresh();
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.stop(), second.stop()]);
  file[Symbol.dispose]();
});

async function entries(reader: Key = key): Promise<Record<string, Entry>> {
  const { body } = await gateway.call<{ data: Entry[] }>('GET', '/v1/models', { key: reader });
  return Object.fromEntries(body.data.map((entry) => [entry.id, entry]));
}

const allowlist = async (query = '') =>
  (await gateway.admin<{ total: number; models: Record<string, unknown>[] }>('GET', `/admin/model-allowlist${query}`))
    .body;

const policy = (model: string, enabled: boolean) => gateway.admin('POST', '/admin/model-allowlist', { model, enabled });

describe('GET /v1/models with GW_UPSTREAMS', () => {
  test('each entry names its upstreams in the order of its route', async () => {
    const found = await entries();
    expect(Object.fromEntries(Object.values(found).map((entry) => [entry.id, entry['gw_upstreams']]))).toEqual({
      'gpt-4o-mini': ['second', 'first'],
      o3: ['first'],
      fast: ['first', 'second'],
      'text-embedding-3-small': ['second'],
      vectors: ['second'],
    });
  });

  test('an alias has the facts of its target model, and a single read returns the same entry', async () => {
    const found = await entries();
    for (const [alias, model] of [
      ['fast', 'gpt-4o-mini'],
      ['vectors', 'text-embedding-3-small'],
    ] as const) {
      const own = { id: alias, gw_upstreams: found[alias]!['gw_upstreams'] };
      expect(found[alias]).toEqual({ ...found[model], ...own });
      expect((await gateway.call('GET', `/v1/models/${alias}`, { key })).body).toEqual(found[alias]);
    }
    expect(found['vectors']).toMatchObject({ gw_category: 'embedding', gw_endpoints: ['/v1/embeddings'] });
    expect(found['fast']).toMatchObject({ gw_vision: true, gw_category: 'chat' });
  });

  test('a key sees an alias if it can use the target model of the alias', async () => {
    const reader = await gateway.createKey({ allowed_models: ['gpt-4o-mini'] });
    expect(Object.keys(await entries(reader)).toSorted()).toEqual(['fast', 'gpt-4o-mini']);
    expect((await gateway.chat(reader, { model: 'fast' })).status).toBe(200);
    expect(errorCodeIn(await gateway.call('GET', '/v1/models/vectors', { key: reader }))).toBe(
      '403 model_not_allowed model',
    );
  });

  test('an alias of a blocked model is blocked, and so is a blocked alias', async () => {
    await policy('gpt-4o-mini', false);
    expect(Object.keys(await entries())).not.toContain('fast');
    expect(errorCodeIn(await gateway.call('GET', '/v1/models/fast', { key }))).toBe('403 model_not_available model');
    expect(errorCodeIn(await gateway.chat(key, { model: 'fast' }))).toBe('403 model_not_available model');
    await policy('vectors', false);
    expect(Object.keys(await entries()).toSorted()).toEqual(['o3', 'text-embedding-3-small']);
  });
});

describe('GET /admin/model-allowlist with GW_UPSTREAMS', () => {
  test('each row names the upstreams, and an alias has the facts of its model', async () => {
    const { models } = await allowlist();
    expect(models.find(({ model }) => model === 'gpt-4o-mini')).toMatchObject({ gw_upstreams: ['second', 'first'] });
    expect(models.find(({ model }) => model === 'vectors')).toMatchObject({
      availability: 'callable',
      category: 'embedding',
      provider: 'openai',
      endpoints: ['/v1/embeddings'],
      gw_upstreams: ['second'],
    });
  });

  test('filters by category apply to the facts of aliases, and pages count them', async () => {
    const { total, models } = await allowlist('?category=embedding&limit=1&offset=1');
    expect([total, models.map(({ model }) => model)]).toEqual([2, ['vectors']]);
  });

  test('a policy of an alias keeps its own value', async () => {
    await policy('fast', false);
    expect((await gateway.admin('GET', '/admin/model-allowlist/fast')).body).toMatchObject({
      enabled: false,
      category: 'chat',
      gw_upstreams: ['first', 'second'],
    });
  });
});

test('without GW_UPSTREAMS no entry and no row has gw_upstreams', async () => {
  const single = await TestGateway.start({}, { upstream: first });
  await until(() => single.app.get(ModelCatalog).settled);
  const listed = await single.call('GET', '/v1/models', { key: await single.createKey() });
  const rows = await single.admin('GET', '/admin/model-allowlist');
  await single.stop();
  expect([listed.text, rows.text].join()).toContain('gpt-4o-mini');
  expect([listed.text, rows.text].join()).not.toContain('gw_upstreams');
});
