import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { KeyListQuery } from '../../src/keys/key-list-query.js';
import { ACTOR, KeysDatabase } from './keys-database.js';

const EVERYTHING: KeyListQuery = {
  status: null,
  name: null,
  expired: null,
  sinceMs: null,
  untilMs: null,
  sortBy: 'created_at',
  sortDir: 'asc',
  limit: 100,
  offset: 0,
};
const PAST = new Date('2020-01-01');
const FUTURE = new Date('2099-01-01');

let db: KeysDatabase;
const ids = new Map<string, string>();
beforeAll(async () => {
  db = await KeysDatabase.create();
  const make = async (name: string, expiresAt: Date | null = null) => {
    const { key } = await db.keys.create({ name, expiresAt }, ACTOR);
    ids.set(name, key.id);
    // One millisecond a key, so that the order is the order of creation.
    const at = new Date(Date.UTC(2026, 0, 1) + ids.size);
    await db.source.query('update api_keys set created_at = $2, updated_at = $2 where id = $1', [key.id, at]);
  };
  for (const name of ['Beta-100%_A\\b', 'alpha', 'Beta-100xyA/b', 'gamma']) await make(name);
  await make('past', PAST);
  await make('later', FUTURE);
  await db.keys.change('suspend', ids.get('past')!, ACTOR);
  await db.keys.change('revoke', ids.get('gamma')!, ACTOR);
  await db.source.query('update api_keys set last_used_at = now() where name = $1', ['alpha']);
});
afterAll(() => db.close());

const list = async (query: Partial<KeyListQuery>) =>
  (await db.keys.list({ ...EVERYTHING, ...query })).keys.map(({ name }) => name);

describe('listing keys', () => {
  test('pages, and counts all that match', async () => {
    const page = await db.keys.list({ ...EVERYTHING, limit: 2, offset: 5 });
    expect([page.total, page.keys.map(({ name }) => name)]).toEqual([6, ['later']]);
    expect((await db.keys.list({ ...EVERYTHING, offset: 6 })).total).toBe(6);
  });

  test('filters by status and by expiry, which are two things', async () => {
    expect(await list({ status: 'suspended' })).toEqual(['past']);
    expect(await list({ status: 'revoked' })).toEqual(['gamma']);
    expect(await list({ expired: true })).toEqual(['past']);
    expect(await list({ expired: false })).toHaveLength(5);
  });

  test.each<[string, string[]]>([
    ['BETA', ['Beta-100%_A\\b', 'Beta-100xyA/b']],
    ['%', ['Beta-100%_A\\b']],
    ['_', ['Beta-100%_A\\b']],
    ['\\', ['Beta-100%_A\\b']],
    ['\\B', ['Beta-100%_A\\b']],
    ['0%_', ['Beta-100%_A\\b']],
    ['Beta%b', []],
    ["'; drop", []],
  ])('finds %s literally, whatever the case', async (name, expected) => {
    expect(await list({ name })).toEqual(expected);
  });

  test('finds a part of the id', async () => {
    const id = ids.get('alpha')!;
    expect(await list({ name: id.toUpperCase() })).toEqual(['alpha']);
    expect(await list({ name: id.slice(4, 20) })).toEqual(['alpha']);
  });

  test('bounds the creation, both ends included', async () => {
    const second = Date.UTC(2026, 0, 1) + 2;
    expect(await list({ sinceMs: second, untilMs: second + 1 })).toEqual(['alpha', 'Beta-100xyA/b']);
  });

  test('sorts every field both ways; never used counts as longest ago', async () => {
    for (const sortBy of ['name', 'created_at', 'updated_at', 'last_used_at'] as const) {
      const ascending = await list({ sortBy });
      expect(await list({ sortBy, sortDir: 'desc' })).toEqual([...ascending].reverse());
    }
    expect((await list({ sortBy: 'last_used_at', sortDir: 'desc' }))[0]).toBe('alpha');
    expect((await list({ sortBy: 'updated_at' })).at(-1)).toBe('gamma');
  });

  test('never selects the hash', async () => {
    const { keys } = await db.keys.list(EVERYTHING);
    for (const key of keys) expect(Object.keys(key)).not.toContain('keyHash');
  });
});
