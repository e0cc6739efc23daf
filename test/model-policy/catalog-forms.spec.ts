import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseCatalog, withoutSecrets } from '../../src/model-policy/parse-catalog.js';
import { World } from './fakes.js';

const read = (body: unknown) => parseCatalog(Buffer.from(JSON.stringify(body)));
const idsOf = (body: unknown) => read(body).models.map(({ id }) => id);

let world: World | undefined;
afterEach(() => world?.stop());

describe('formats of the model list', () => {
  test.each<[string, unknown]>([
    ['the OpenAI format', { object: 'list', data: [{ id: 'a' }, { id: 'models/b' }] }],
    ['a bare array', [{ id: 'a' }, { id: 'models/b' }]],
    ['an object with models', { models: [{ id: 'a' }, { id: 'models/b' }] }],
    [
      'an object with models that have names instead of IDs',
      { models: [{ name: 'a', displayName: 'A' }, { name: 'models/b' }] },
    ],
    ['a bare array of models with names', [{ name: 'a' }, { id: 'models/b', name: 'B' }]],
  ])('reads the models from %s', (_form, body) => expect(idsOf(body)).toEqual(['a', 'models/b']));

  test.each<[string, unknown]>([
    ['an empty array', []],
    ['an array of strings', ['a']],
    ['an object without an array', { object: 'list' }],
    ['models in data that have names instead of IDs', { data: [{ name: 'a' }] }],
    ['a string', 'a'],
    ['more than 10,000 models', Array.from({ length: 10_001 }, (_, n) => ({ id: `m${n}` }))],
  ])('rejects %s as a model list', (_form, body) => expect(() => read(body)).toThrow());

  test('derives `created` from the created_at of Anthropic, and keeps created_at and display_name', () => {
    const row = { type: 'model', id: 'claude-x', display_name: 'Claude X', created_at: '2026-02-19T00:00:00Z' };
    expect(read({ data: [row], has_more: false }).models).toEqual([
      {
        id: 'claude-x',
        object: 'model',
        created: Date.UTC(2026, 1, 19) / 1000,
        owned_by: 'system',
        display_name: 'Claude X',
        created_at: '2026-02-19T00:00:00Z',
      },
    ]);
  });

  test.each([undefined, null, 'yesterday', '2026-13-01T00:00:00Z', 7, '\0'])(
    'sets `created` to 0 for a created_at of %j',
    (created_at) => {
      expect(read([{ id: 'a', created_at, display_name: 7 }]).models).toEqual([
        { id: 'a', object: 'model', created: 0, owned_by: 'system' },
      ]);
    },
  );

  test.each<[string, object, string | null]>([
    ['has_more with last_id', { has_more: true, last_id: 'a/b' }, '?after_id=a%2Fb'],
    ['has_more without last_id', { has_more: true }, null],
    ['has_more of false', { has_more: false, last_id: 'a' }, null],
    ['nextPageToken', { nextPageToken: 'x=&' }, '?pageToken=x%3D%26'],
    ['an empty nextPageToken', { nextPageToken: '' }, null],
    ['next_page_token', { next_page_token: 't' }, '?page_token=t'],
    ['next_page', { next_page: 't' }, '?page=t&page_token=t&pageToken=t'],
    ['next_page of null', { next_page: null }, null],
    ['a URL as next', { next: 'https://elsewhere.example/models?page=2' }, null],
    ['a URL as next_page', { next_page: 'https://elsewhere.example/models?page=2' }, null],
    ['a path as next_page', { next_page: '/v1/models?page=2' }, null],
  ])('derives the query of the next page, if any, from %s', (_how, fields, next) =>
    expect(read({ data: [{ id: 'a' }], ...fields }).next).toBe(next),
  );

  test.each([253_402_300_800, 1e15, Number.MAX_VALUE, -1, '1'])('sets `created` to 0 for %p', (created) => {
    expect(read([{ id: 'a', created }]).models[0]!.created).toBe(0);
  });

  test('removes models that contain a credential of an account', () => {
    const secret = 'credential-of-the-account';
    const rows = [
      { id: 'a' },
      { id: `a-${secret}` },
      { id: 'b', owned_by: secret },
      { id: 'c', display_name: `x ${secret}` },
    ];
    expect(withoutSecrets(read(rows).models, [secret, 'short']).map(({ id }) => id)).toEqual(['a']);
  });

  test('rejects any JSON document or returns well-formed models', () => {
    const row = fc.dictionary(fc.constantFrom('id', 'name', 'created', 'created_at', 'display_name'), fc.jsonValue());
    const list = fc.oneof(fc.array(row), fc.jsonValue());
    const body = fc.oneof(
      list,
      fc.dictionary(fc.constantFrom('data', 'models', 'next_page', 'has_more', 'last_id'), list),
    );
    fc.assert(
      fc.property(body, (value) => {
        let page;
        try {
          page = read(value);
        } catch {
          return;
        }
        for (const { id, created, created_at } of page.models) {
          expect(id.length).toBeGreaterThan(0);
          expect(Number.isSafeInteger(created) && created >= 0).toBe(true);
          expect(['undefined', 'string']).toContain(typeof created_at);
        }
      }),
    );
  });

  test('requests page after page with the token of the previous page', async () => {
    world = new World();
    const paths: string[] = [];
    world.upstream.respond = ({ path }) => {
      paths.push(path);
      const page =
        paths.length === 1 ? { models: [{ name: 'models/a' }], nextPageToken: '2' } : { models: [{ name: 'b' }] };
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(page)) });
    };
    expect(await world.catalog.refresh()).toBe(true);
    expect(paths).toEqual(['/models', '/models?pageToken=2']);
    expect([...world.catalog.copy!.keys()]).toEqual(['models/a', 'b']);
  });
});
