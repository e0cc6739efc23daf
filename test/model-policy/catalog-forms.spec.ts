import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseCatalog } from '../../src/model-policy/parse-catalog.js';
import { World } from './fakes.js';

const read = (answer: unknown) => parseCatalog(Buffer.from(JSON.stringify(answer)));
const idsOf = (answer: unknown) => read(answer).models.map(({ id }) => id);

let world: World | undefined;
afterEach(() => world?.stop());

describe('the list of models', () => {
  test.each<[string, unknown]>([
    ['OpenAI’s', { object: 'list', data: [{ id: 'a' }, { id: 'models/b' }] }],
    ['a bare array', [{ id: 'a' }, { id: 'models/b' }]],
    ['under models', { models: [{ id: 'a' }, { id: 'models/b' }] }],
    ['under models, by name', { models: [{ name: 'a', displayName: 'A' }, { name: 'models/b' }] }],
    ['a bare array, by name', [{ name: 'a' }, { id: 'models/b', name: 'B' }]],
  ])('is read in this form: %s', (_form, answer) => expect(idsOf(answer)).toEqual(['a', 'models/b']));

  test.each<[string, unknown]>([
    ['an empty array', []],
    ['a list of texts', ['a']],
    ['an object without a list', { object: 'list' }],
    ['names within data', { data: [{ name: 'a' }] }],
    ['text', 'a'],
    ['too many rows', Array.from({ length: 10_001 }, (_, n) => ({ id: `m${n}` }))],
  ])('is refused: %s', (_form, answer) => expect(() => read(answer)).toThrow());

  test('takes the time from Anthropic’s created_at, and keeps that and display_name', () => {
    const row = { type: 'model', id: 'claude-x', display_name: 'Claude X', created_at: '2026-02-19T00:00:00Z' };
    expect(read({ data: [row], has_more: false }).models).toEqual([
      {
        ...{ id: 'claude-x', object: 'model', created: Date.UTC(2026, 1, 19) / 1000, owned_by: 'system' },
        ...{ display_name: 'Claude X', created_at: '2026-02-19T00:00:00Z' },
      },
    ]);
  });

  test.each([undefined, null, 'yesterday', '2026-13-01T00:00:00Z', 7, '\0'])(
    'has created 0 for created_at %j',
    (created_at) => {
      expect(read([{ id: 'a', created_at, display_name: 7 }]).models).toEqual([
        { id: 'a', object: 'model', created: 0, owned_by: 'system' },
      ]);
    },
  );

  test.each<[string, object, string | null]>([
    ['has_more with last_id', { has_more: true, last_id: 'a/b' }, '?after_id=a%2Fb'],
    ['has_more without last_id', { has_more: true }, null],
    ['has_more that is false', { has_more: false, last_id: 'a' }, null],
    ['nextPageToken', { nextPageToken: 'x=&' }, '?pageToken=x%3D%26'],
    ['an empty nextPageToken', { nextPageToken: '' }, null],
    ['next_page_token', { next_page_token: 't' }, '?page_token=t'],
    ['next_page', { next_page: 't' }, '?page=t&page_token=t&pageToken=t'],
    ['next_page that is null', { next_page: null }, null],
    ['a link', { next: 'https://elsewhere.example/models?page=2' }, null],
    ['a link as next_page', { next_page: 'https://elsewhere.example/models?page=2' }, null],
    ['a path as next_page', { next_page: '/v1/models?page=2' }, null],
  ])('goes on by %s', (_how, members, next) => expect(read({ data: [{ id: 'a' }], ...members }).next).toBe(next));

  test('any JSON is read or refused, and what is read is well-formed', () => {
    const row = fc.dictionary(fc.constantFrom('id', 'name', 'created', 'created_at', 'display_name'), fc.jsonValue());
    const list = fc.oneof(fc.array(row), fc.jsonValue());
    const answer = fc.oneof(
      list,
      fc.dictionary(fc.constantFrom('data', 'models', 'next_page', 'has_more', 'last_id'), list),
    );
    fc.assert(
      fc.property(answer, (value) => {
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

  test('is read page by page, with the token of each page', async () => {
    world = new World();
    const asked: string[] = [];
    world.upstream.answer = ({ path }) => {
      asked.push(path);
      const page =
        asked.length === 1 ? { models: [{ name: 'models/a' }], nextPageToken: '2' } : { models: [{ name: 'b' }] };
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(page)) });
    };
    expect(await world.catalog.refresh()).toBe(true);
    expect(asked).toEqual(['/models', '/models?pageToken=2']);
    expect([...world.catalog.copy!.keys()]).toEqual(['models/a', 'b']);
  });
});
