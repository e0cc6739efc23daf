import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { randomUUID } from 'node:crypto';
import { ApiKeysController } from '../../src/admin/api-keys/api-keys.controller.js';
import { OperatorReadLimit } from '../../src/admin/operator-read-limit.js';
import { KeyCache } from '../../src/keys/key-cache.js';
import { KeysService } from '../../src/keys/keys.service.js';
import { ADMIN_KEYS, startGuardedApp } from '../support/guarded-app.js';
import { KeysDatabase } from './keys-database.js';

const PATH = '/admin/api-keys';
let db: KeysDatabase;
let app: NestFastifyApplication;
beforeAll(async () => {
  db = await KeysDatabase.create();
  const providers = [
    OperatorReadLimit,
    { provide: KeysService, useValue: db.keys },
    { provide: KeyCache, useValue: db.cache },
  ];
  app = await startGuardedApp([ApiKeysController], providers);
});
afterAll(async () => {
  await app.close();
  await db.close();
});

interface Json {
  readonly id: string;
  readonly key: string;
  readonly status: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly total: number;
  readonly has_more: boolean;
  readonly keys: { readonly id: string; readonly name: string }[];
  readonly error: { readonly code: string; readonly param: string; readonly message: string };
}

async function call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) {
  const headers = { authorization: `Bearer ${ADMIN_KEYS[0]}` };
  const response = await app.inject({ method, url: PATH + path, headers, ...(body && { payload: body }) });
  return { status: response.statusCode, json: response.json<Json>() };
}
const create = async (body = {}) => (await call('POST', '', { name: 'k', ...body })).json;

/** Bodies that are invalid for creation and update, with the field that the error names. */
const WRONG: [object, string][] = [
  [{ name: '' }, 'name'],
  [{ name: 'ü'.repeat(256) }, 'name'],
  [{ name: 'a\0b' }, 'name'],
  [{ name: 'half \ud800' }, 'name'],
  [{ name: null }, 'name'],
  ...[0, 1.5, 2147483648, '60', null, []].map((rpm_limit): [object, string] => [{ rpm_limit }, 'rpm_limit']),
  ...[0, 1.5, 9007199254740992, '60', {}].map((limit): [object, string] => [
    { monthly_token_limit: limit },
    'monthly_token_limit',
  ]),
  ...['gpt-4o', [5], [''], [null], ['a', 'openai/*'], {}].map((models): [object, string] => [
    { allowed_models: models },
    'allowed_models',
  ]),
  ...['tomorrow', '', '2030-02-30', '2030-01-01T25:00:00Z', 1893456000].map((at): [object, string] => [
    { expires_at: at },
    'expires_at',
  ]),
  ...['Checkout', 7, {}].map((team_id): [object, string] => [{ team_id }, 'team_id']),
  ...['a', [5], [''], ['a b'], null].map((tags): [object, string] => [{ tags }, 'tags']),
  [{ colour: 'red' }, 'colour'],
  [{ status: 'revoked' }, 'status'],
];

describe('POST and PATCH /admin/api-keys', () => {
  test('create and update return every field, and the raw key only on creation', async () => {
    const { status, json } = await call('POST', '', { name: 'made', expires_at: '2031-05-06T02:00:00+02:00' });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: json.id,
      name: 'made',
      key: expect.stringMatching(/^sk-gw-[0-9A-Za-z]{49}$/) as unknown,
      key_hint: `sk-gw-…${json.key.slice(-4)}`,
      team_id: null,
      tags: [],
      status: 'active',
      rpm_limit: 60,
      rpd_limit: 10000,
      monthly_limit: null,
      monthly_token_limit: null,
      token_counting: 'specification',
      allowed_models: null,
      expires_at: '2031-05-06T00:00:00.000Z',
      is_expired: false,
      created_at: json.created_at,
      updated_at: json.created_at,
      revoked_at: null,
      last_used_at: null,
    });
    const resource: Partial<Json> = { ...json };
    delete (resource as { key?: string }).key;
    expect((await call('GET', `/${json.id}`)).json).toEqual(resource);
    const patched = await call('PATCH', `/${json.id}`, { expires_at: '2020-01-01' });
    expect(patched.json).toEqual({
      ...resource,
      expires_at: '2020-01-01T00:00:00.000Z',
      is_expired: true,
      updated_at: patched.json.updated_at,
    });
  });

  test('allowed_models accepts 1000 models of 200 characters and rejects a longer list', async () => {
    const models = Array.from({ length: 1000 }, (_, at) => `m${at}`.padEnd(200, 'x'));
    const { status, json } = await call('POST', '', { name: 'k', allowed_models: models });
    expect(status).toBe(201);
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', `/${json.id}`],
    ] as const) {
      const rejected = await call(method, path, { name: 'k', allowed_models: [...models, 'm'] });
      expect([rejected.status, rejected.json.error.code, rejected.json.error.param]).toEqual([
        400,
        'validation_error',
        'allowed_models',
      ]);
    }
  });

  test.each(WRONG)('create and update reject %j with 400 and name the field', async (body, param) => {
    const { id } = await create();
    const before = (await call('GET', `/${id}`)).json;
    const rejections = [
      await call('POST', '', { name: 'v', ...body }),
      await call('PATCH', `/${id}`, { rpm_limit: 9, ...body }),
    ];
    for (const { status, json } of rejections)
      expect([status, json.error.code, json.error.param]).toEqual([400, 'validation_error', param]);
    expect((await call('GET', `/${id}`)).json).toEqual(before);
  });

  test('a missing body is treated as {}, and creation requires a name', async () => {
    for (const body of [{}, undefined])
      expect((await call('POST', '', body)).json.error).toMatchObject({ code: 'validation_error', param: 'name' });
    const { id } = await create();
    expect((await call('PATCH', `/${id}`)).status).toBe(200);
  });
});

describe('/admin/api-keys/{id}', () => {
  test('suspend, unsuspend, rotate and revoke return their documented fields', async () => {
    const { id } = await create();
    const time = expect.stringMatching(/Z$/) as unknown;
    expect((await call('POST', `/${id}/suspend`)).json).toEqual({ id, status: 'suspended', updated_at: time });
    expect((await call('POST', `/${id}/unsuspend`)).json).toEqual({ id, status: 'active', updated_at: time });
    const key = expect.stringMatching(/^sk-gw-/) as unknown;
    expect((await call('POST', `/${id}/rotate`)).json).toEqual({ key, id, status: 'active', updated_at: time });
    const revoked = await call('POST', `/${id}/revoke`);
    expect([revoked.status, revoked.json]).toEqual([200, { id, status: 'revoked', revoked_at: time }]);
    expect((await call('POST', `/${id}/revoke`)).json.error).toMatchObject({ code: 'not_found' });
  });

  test('an ID that is unknown or not a UUID returns 404', async () => {
    for (const id of ['x', randomUUID(), `${randomUUID()}0`, '%00', "'%20or%20true"]) {
      const responses = [await call('GET', `/${id}`), await call('PATCH', `/${id}`, {})];
      for (const action of ['suspend', 'unsuspend', 'rotate', 'revoke'])
        responses.push(await call('POST', `/${id}/${action}`));
      for (const { status, json } of responses) expect([status, json.error.code]).toEqual([404, 'not_found']);
      expect(responses[0]!.json.error.message).toBe('API key not found');
    }
  });

  test('rejects an unknown query parameter or field and names it', async () => {
    const { id } = await create();
    expect((await call('GET', `/${id}?colour=1`)).json.error).toMatchObject({
      code: 'validation_error',
      param: 'colour',
    });
    expect((await call('POST', `/${id}/suspend`, { force: true })).json.error).toMatchObject({ param: 'force' });
    expect((await call('GET', `/${id}`)).json.status).toBe('active');
  });
});

describe('GET /admin/api-keys', () => {
  test('a page contains total, has_more and keys without raw keys', async () => {
    for (const name of ['page-1', 'page-2', 'page-3']) await create({ name });
    const page = (await call('GET', '?name=PAGE-&limit=2')).json;
    expect([page.total, page.has_more, page.keys.map((key) => key.name)]).toEqual([3, true, ['page-3', 'page-2']]);
    expect(page.keys[0]).toEqual((await call('GET', `/${page.keys[0]!.id}`)).json);
    expect((await call('GET', '?name=page-&limit=2&offset=2')).json).toMatchObject({ total: 3, has_more: false });
  });

  test.each([
    'status=expired',
    'status=active&expired=true',
    'expired=maybe',
    'since=yesterday',
    'since=2026-02-02&until=2026-02-01',
    'sort_by=id',
    'sort_dir=up',
    'limit=0',
    'limit=501',
    'limit=1.5',
    'offset=-1',
    'Limit=1',
    'limit=1&limit=2',
  ])('rejects ?%s with 400 and names the parameter', async (query) => {
    const { status, json } = await call('GET', `?${query}`);
    expect([status, json.error.code]).toEqual([400, 'validation_error']);
    expect([...new URLSearchParams(query).keys()]).toContain(json.error.param);
  });
});

test('the OpenAPI description contains bodies, query parameters and responses', () => {
  const config = new DocumentBuilder().setOpenAPIVersion('3.1.0').build();
  const { paths, components } = SwaggerModule.createDocument(app, config);
  const schemas = components!.schemas as Record<string, { required?: string[]; properties: object }>;
  expect(paths[PATH]!.post!.requestBody).toMatchObject({
    content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateApiKeyRequest' } } },
  });
  expect(schemas.CreateApiKeyRequest!.required).toEqual(['name']);
  expect(Object.keys(schemas.UpdateApiKeyRequest!.properties)).toHaveLength(10);
  expect(Object.keys(schemas.CreatedApiKeyResponse!.properties)).toHaveLength(19);
  const names = paths[PATH]!.get!.parameters!.map((parameter) => (parameter as { name: string }).name);
  expect(names.sort()).toEqual([
    'expired',
    'limit',
    'name',
    'offset',
    'since',
    'sort_by',
    'sort_dir',
    'status',
    'tag',
    'team_id',
    'until',
  ]);
});
