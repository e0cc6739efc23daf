import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { until } from '../support/until.js';
import { ADMIN_KEY, type TestGateway } from '../support/gateway.js';
import { MODELS } from '../support/scripted-upstream-responses.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { errorCodeIn } from '../support/responses.js';
import { startGateway } from '../support/ready-gateway.js';

const PATH = '/admin/model-allowlist';
const SLASHED = 'meta-llama/llama-3.3-70b-instruct';

interface Row {
  readonly model: string;
  readonly enabled: boolean | null;
  readonly availability: string;
  readonly category: string | null;
  readonly provider: string | null;
  readonly capabilities: string[];
  readonly endpoints: string[];
  readonly note: string | null;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
}
interface Page {
  readonly total: number;
  readonly has_more: boolean;
  readonly models: Row[];
}

let upstream: ScriptedUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({}, { upstream });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});
beforeEach(async () => {
  upstream.reset();
  await gateway.app.get(DataSource).query('truncate audit_logs; delete from model_policies');
  await gateway.admin('POST', '/admin/cache/purge');
});

const list = async (query = '') => (await gateway.admin<Page>('GET', PATH + query)).body;
const modelsIn = async (query: string) => (await list(query)).models.map(({ model }) => model);
const set = (model: string, enabled: boolean, note?: string | null) =>
  gateway.admin<Row>('POST', PATH, { model, enabled, ...(note !== undefined && { note }) });
const audited = () =>
  gateway.app
    .get(DataSource)
    .query<{ action: string; target_id: string }[]>(
      `select action, target_id from audit_logs where action like 'model_policy.%' order by created_at`,
    );

describe('GET /admin/model-allowlist', () => {
  test('lists the catalog joined with the overrides, in ID order', async () => {
    await set('acme/not-listed', true, 'soon');
    await set('gpt-4o', false);
    const { total, has_more, models } = await list();
    expect({ total, has_more }).toEqual({ total: MODELS.length + 1, has_more: false });
    expect(models.map(({ model }) => model)).toEqual([...MODELS.map(({ id }) => id), 'acme/not-listed'].sort());
    const none = { note: null, updated_at: null, updated_by: null };
    const unknown = { capabilities: [], endpoints: [] };
    const chat = ['/v1/chat/completions', '/v1/completions', '/v1/responses'];
    const gpt4o = { capabilities: ['vision', 'tool_use', 'json_mode'], endpoints: chat };
    const o1 = { capabilities: ['reasoning', 'vision', 'tool_use', 'json_mode'], endpoints: chat };
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(models.filter(({ model }) => ['gpt-4o', 'o1', 'acme-custom-1', 'acme/not-listed'].includes(model))).toEqual([
      ...[{ model: 'acme-custom-1', enabled: null, availability: 'unclassified', category: null, provider: null }].map(
        (row) => ({ ...row, ...unknown, ...none }),
      ),
      ...[
        { model: 'acme/not-listed', enabled: true, availability: 'allowlist_only', category: null, provider: 'acme' },
      ].map((row) => ({ ...row, ...unknown, note: 'soon', updated_at: time, updated_by: 'admin_key' })),
      ...[{ model: 'gpt-4o', enabled: false, availability: 'callable', category: 'chat', provider: 'openai' }].map(
        (row) => ({ ...row, ...gpt4o, note: null, updated_at: time, updated_by: 'admin_key' }),
      ),
      { model: 'o1', enabled: null, availability: 'callable', category: 'chat', provider: 'openai', ...o1, ...none },
    ]);
    expect(models.find(({ model }) => model === 'gpt-4o-realtime-preview')).toMatchObject({
      availability: 'unclassified',
      category: null,
    });
  });

  test('describes each listed model exactly as GET /v1/models does', async () => {
    const key = await gateway.createKey();
    const { body } = await gateway.call<{ data: Record<string, unknown>[] }>('GET', '/v1/models', { key });
    const rows = new Map((await list('?limit=500')).models.map((row) => [row.model, row]));
    expect(body.data).toHaveLength(MODELS.length);
    for (const entry of body.data) {
      const flags = Object.keys(entry).filter((name) => name.startsWith('gw_') && entry[name] === true);
      const capabilities = flags.filter((name) => name !== 'gw_available').map((name) => name.slice('gw_'.length));
      expect(rows.get(entry['id'] as string)).toMatchObject({
        availability: entry['gw_availability'],
        category: entry['gw_category'] ?? null,
        provider: entry['gw_provider'] ?? null,
        capabilities,
        endpoints: entry['gw_endpoints'] ?? [],
      });
    }
  });

  test('filters and pages, and returns the total number of matches', async () => {
    await set('gpt-4o', false);
    await set('o1', true);
    await set('acme/not-listed', true);
    expect(await modelsIn('?enabled=true')).toEqual(['acme/not-listed', 'o1']);
    expect(await modelsIn('?enabled=false')).toEqual(['gpt-4o']);
    expect(await modelsIn('?search=DALL-')).toEqual(['dall-e-2', 'dall-e-3']);
    expect(await modelsIn('?search=%25')).toEqual([]);
    expect(await modelsIn('?category=ocr')).toEqual(['mistral-ocr-latest']);
    expect(await modelsIn('?availability=allowlist_only')).toEqual(['acme/not-listed']);
    expect(await modelsIn('?availability=callable&category=chat&enabled=true')).toEqual(['o1']);
    const all = await modelsIn('');
    const page = await list('?limit=2&offset=3');
    expect(page).toMatchObject({ total: all.length, has_more: true });
    expect(page.models.map(({ model }) => model)).toEqual(all.slice(3, 5));
    expect(await list(`?limit=500&offset=${all.length - 1}`)).toMatchObject({ total: all.length, has_more: false });
    expect(await list('?offset=2147483647')).toEqual({ total: all.length, has_more: false, models: [] });
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['offset=-1', 'offset'],
    ['enabled=yes', 'enabled'],
    ['availability=broken', 'availability'],
    ['category=realtime', 'category'],
    ['search=%00', 'search'],
    ['search=a&search=b', 'search'],
    ['colour=red', 'colour'],
  ])('rejects %s', async (query, param) => {
    expect(errorCodeIn(await gateway.admin('GET', `${PATH}?${query}`))).toBe(`400 validation_error ${param}`);
  });

  test('an override outside the catalog is unverified while the catalog cannot be fetched', async () => {
    await set('acme/not-listed', true);
    upstream.on('GET', '/v1/models', (_request, response) => void response.writeHead(500).end());
    await gateway.admin('POST', '/admin/cache/purge');
    const unverified = () => modelsIn('?availability=allowlist_unverified');
    await until(async () => (await unverified()).length === 1);
    expect(await unverified()).toEqual(['acme/not-listed']);
    expect((await list('?search=gpt-4o-mini')).models[0]?.availability).toBe('callable');
    upstream.reset();
    await gateway.admin('POST', '/admin/cache/purge');
    expect(await modelsIn('?availability=allowlist_only')).toEqual(['acme/not-listed']);
  });
});

describe('model override', () => {
  test.each([SLASHED, 'acme/family/x:free', 'ünï/模型', 'a'.repeat(200), '👋'.repeat(200)])(
    'an override for %s can be set, deleted, and read with plain or encoded slashes',
    async (model) => {
      const made = await set(model, false, 'why');
      expect([made.status, made.body.model, made.body.enabled, made.body.note]).toEqual([200, model, false, 'why']);
      const plain = model.split('/').map(encodeURIComponent).join('/');
      for (const id of [plain, encodeURIComponent(model)]) {
        const read = await gateway.admin('GET', `${PATH}/${id}`);
        expect([read.status, read.body]).toEqual([200, made.body]);
      }
      expect((await set(model, true)).body).toMatchObject({ model, enabled: true, note: null });
      const gone = await gateway.admin('DELETE', `${PATH}/${plain}`);
      expect([gone.status, gone.body]).toEqual([200, { model, deleted: true }]);
      for (const method of ['GET', 'DELETE']) {
        expect(errorCodeIn(await gateway.admin(method, `${PATH}/${plain}`))).toBe('404 not_found');
      }
      const actions = (await audited()).map(({ action, target_id }) => [action, target_id]);
      expect(actions).toEqual([
        ['model_policy.set', model],
        ['model_policy.set', model],
        ['model_policy.deleted', model],
      ]);
    },
  );

  test('an old row with a wildcard can be listed, read and deleted', async () => {
    await gateway.app
      .get(DataSource)
      .query(
        `insert into model_policies (model, enabled, updated_at, updated_by) values ('gpt-4*', false, now(), 'admin_key')`,
      );
    expect(await modelsIn('?enabled=false')).toEqual(['gpt-4*']);
    expect((await gateway.admin('GET', `${PATH}/gpt-4*`)).body).toMatchObject({ model: 'gpt-4*', enabled: false });
    expect((await gateway.admin('DELETE', `${PATH}/gpt-4*`)).body).toEqual({ model: 'gpt-4*', deleted: true });
  });

  test('a model without an override and an invalid model ID return 404', async () => {
    for (const id of ['gpt-4o', 'nope', 'a%00b', 'x'.repeat(201)]) {
      expect(errorCodeIn(await gateway.admin('GET', `${PATH}/${id}`))).toBe('404 not_found');
      expect(errorCodeIn(await gateway.admin('DELETE', `${PATH}/${id}`))).toBe('404 not_found');
    }
    expect(errorCodeIn(await gateway.admin('GET', `${PATH}/`))).toBe('404 route_not_found');
    expect(errorCodeIn(await gateway.call('GET', `${PATH}/`))).toBe('404 route_not_found');
  });

  test.each([
    [{ enabled: true }, 'model'],
    [{ model: '', enabled: true }, 'model'],
    [{ model: 'x'.repeat(201), enabled: true }, 'model'],
    [{ model: 'a\0b', enabled: true }, 'model'],
    [{ model: 'half \ud800', enabled: true }, 'model'],
    [{ model: 'gpt-4*', enabled: false }, 'model'],
    [{ model: null, enabled: true }, 'model'],
    [{ model: 7, enabled: true }, 'model'],
    [{ model: 'gpt-4o' }, 'enabled'],
    [{ model: 'gpt-4o', enabled: 'true' }, 'enabled'],
    [{ model: 'gpt-4o', enabled: null }, 'enabled'],
    [{ model: 'gpt-4o', enabled: true, note: 7 }, 'note'],
    [{ model: 'gpt-4o', enabled: true, note: 'half \ud800' }, 'note'],
    [{ model: 'gpt-4o', enabled: true, note: 'x'.repeat(1001) }, 'note'],
    [{ model: 'gpt-4o', enabled: true, colour: 'red' }, 'colour'],
  ])('%j is rejected and changes nothing', async (body, param) => {
    expect(errorCodeIn(await gateway.admin('POST', PATH, body))).toBe(`400 validation_error ${param}`);
    expect(await modelsIn('?enabled=true')).toEqual([]);
    expect(await audited()).toEqual([]);
  });

  test('setting or deleting an override applies to the next request', async () => {
    const key = await gateway.createKey();
    const chat = async () => errorCodeIn(await gateway.chat(key, { model: SLASHED }));
    expect(await chat()).toBe('200');
    await set(SLASHED, false);
    expect(await chat()).toBe('403 model_not_available model');
    await gateway.admin('DELETE', `${PATH}/${SLASHED}`);
    expect(await chat()).toBe('200');
  });
});

test('every allowlist route requires the admin key', async () => {
  const routes = [`GET ${PATH}`, `POST ${PATH}`, `GET ${PATH}/a/b`, `DELETE ${PATH}/a/b`].map((route) =>
    route.split(' '),
  );
  const key = await gateway.createKey();
  for (const [method, path] of routes) {
    expect(errorCodeIn(await gateway.call(method!, path!))).toBe('401 missing_api_key');
    expect(errorCodeIn(await gateway.call(method!, path!, { key }))).toBe('401 invalid_api_key');
    expect(errorCodeIn(await gateway.call(method!, path!, { key: `${ADMIN_KEY}x` }))).toBe('401 invalid_api_key');
  }
});
