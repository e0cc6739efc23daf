import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { KeyListQuery } from '../../src/keys/keys.service.js';
import { ACTOR, KeysDatabase } from './keys-database.js';

const EVERYTHING: KeyListQuery = {
  status: null,
  name: null,
  expired: null,
  sinceMs: null,
  untilMs: null,
  teamId: null,
  tag: null,
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
    // One millisecond per key, so that keys sort in the order of creation.
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

describe('KeysService.list', () => {
  test('a page has the total of all matching keys', async () => {
    const page = await db.keys.list({ ...EVERYTHING, limit: 2, offset: 5 });
    expect([page.total, page.keys.map(({ name }) => name)]).toEqual([6, ['later']]);
    expect((await db.keys.list({ ...EVERYTHING, offset: 6 })).total).toBe(6);
  });

  test('status and expiry are independent filters', async () => {
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
  ])('searches for %s literally and ignores case', async (name, expected) => {
    expect(await list({ name })).toEqual(expected);
  });

  test('finds a key by a part of its ID', async () => {
    const id = ids.get('alpha')!;
    expect(await list({ name: id.toUpperCase() })).toEqual(['alpha']);
    expect(await list({ name: id.slice(4, 20) })).toEqual(['alpha']);
  });

  test('ignores the case of letters outside ASCII', async () => {
    const { key } = await db.keys.create({ name: 'Übergröße ŻÓŁĆ ЖУК Ωμέγα' }, ACTOR);
    for (const name of ['übergröße', 'ÜBERGRÖ', 'żółć', 'Żółć', 'жук', 'ωΜΈ'])
      expect(await list({ name })).toEqual([key.name]);
    expect(await list({ name: 'uber' })).toEqual([]);
    await db.source.query('delete from api_keys where id = $1', [key.id]);
  });

  test('the bounds of the creation time are inclusive', async () => {
    const second = Date.UTC(2026, 0, 1) + 2;
    expect(await list({ sinceMs: second, untilMs: second + 1 })).toEqual(['alpha', 'Beta-100xyA/b']);
  });

  test('every sort field works in both directions, and unused keys count as oldest', async () => {
    for (const sortBy of ['name', 'created_at', 'updated_at', 'last_used_at'] as const) {
      const ascending = await list({ sortBy });
      expect(await list({ sortBy, sortDir: 'desc' })).toEqual([...ascending].reverse());
    }
    expect((await list({ sortBy: 'last_used_at', sortDir: 'desc' }))[0]).toBe('alpha');
    expect((await list({ sortBy: 'updated_at' })).at(-1)).toBe('gamma');
  });

  describe('paging while keys are added', () => {
    const added: string[] = [];
    const add = async (name: string) => {
      const { key } = await db.keys.create({ name }, ACTOR);
      added.push(key.id);
    };
    async function walk(query: Partial<KeyListQuery>): Promise<string[]> {
      const names: string[] = [];
      for (let offset = 0; ; offset += 2) {
        const { total, keys } = await db.keys.list({ ...EVERYTHING, ...query, limit: 2, offset });
        names.push(...keys.map(({ name }) => name));
        if (offset + keys.length >= total) return names;
        if (offset < 10) await add(`added-${offset}`);
      }
    }
    afterEach(async () => {
      await db.source.query('delete from api_keys where id = any($1::uuid[])', [added.splice(0)]);
    });

    test('oldest first, each key is listed once, with new keys at the end', async () => {
      const before = await list({});
      const names = await walk({});
      expect(names.slice(0, before.length)).toEqual(before);
      expect(names.length).toBe(before.length + added.length);
      expect(new Set(names).size).toBe(names.length);
    });

    test('newest first with an upper time bound, each existing key is listed once and no new key', async () => {
      const before = await list({ sortDir: 'desc' });
      expect(await walk({ sortDir: 'desc', untilMs: Date.UTC(2026, 1, 1) })).toEqual(before);
      expect(added.length).toBeGreaterThan(0);
    });

    test('the total and the page come from one snapshot', async () => {
      let done = false;
      const adding = (async () => {
        for (let number = 1; !done; number++)
          await db.source.query(
            `insert into api_keys (name, key_hash, key_hint) values ($1::text, sha256($1::text::bytea), 'x')`,
            [`number ${String(number).padStart(9, '0')}`],
          );
      })();
      const newest = { ...EVERYTHING, name: 'number ', sortBy: 'name', sortDir: 'desc', limit: 1 } as const;
      for (let read = 0; read < 100; read++) {
        const { total, keys } = await db.keys.list(newest);
        expect(total).toBe(Number(keys[0]?.name.split(' ')[1] ?? 0));
      }
      done = true;
      await adding;
      await db.source.query(`delete from api_keys where name like 'number %'`);
    });
  });

  test('keys with equal sort values keep their order across pages', async () => {
    const { key } = await db.keys.create({ name: 'twin' }, ACTOR);
    await db.source.query(
      `insert into api_keys (name, key_hash, key_hint, created_at, updated_at)
       select 'twin', sha256(gen_random_uuid()::text::bytea), 'x', created_at, updated_at from api_keys, generate_series(1, 24) where id = $1`,
      [key.id],
    );
    for (const sortBy of ['name', 'created_at', 'updated_at', 'last_used_at'] as const) {
      for (const sortDir of ['asc', 'desc'] as const) {
        const found: string[] = [];
        for (let offset = 0; offset < 25; offset += 4) {
          const page = await db.keys.list({ ...EVERYTHING, name: 'twin', sortBy, sortDir, limit: 4, offset });
          found.push(...page.keys.map(({ id }) => id));
        }
        const sorted = [...new Set(found)].sort();
        expect(found).toEqual(sortDir === 'asc' ? sorted : sorted.reverse());
        expect(found).toHaveLength(25);
      }
    }
    await db.source.query(`delete from api_keys where name = 'twin'`);
  });

  test('listed keys do not contain the hash', async () => {
    const { keys } = await db.keys.list(EVERYTHING);
    for (const key of keys) expect(Object.keys(key)).not.toContain('keyHash');
  });
});
