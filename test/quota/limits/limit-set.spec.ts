import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { Changes } from '../../../src/platform/changes/changes.js';
import { LimitSet } from '../../../src/quota/limits/limit-set.service.js';
import { LimitSetStore } from '../../../src/quota/limits/stores/limit-set.store.js';
import type { KeySnapshot } from '../../../src/platform/request-context/key-snapshot.js';
import { poll } from '../../support/poll.js';
import { keySnapshot, StatsDatabase } from '../../support/stats-database.js';

let database: StatsDatabase;
let source: DataSource;
let set: LimitSet;
let statements: string[];
let failing: Error | null;
beforeAll(async () => {
  database = await StatsDatabase.create();
  source = database.source;
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const table of ['limits', 'teams']) await source.query(`delete from ${table}`);
  statements = [];
  failing = null;
  const query = (sql: string, values: unknown[]) => {
    statements.push(sql);
    return failing === null ? source.query(sql, values) : Promise.reject(failing);
  };
  const store = new LimitSetStore({ query } as unknown as DataSource);
  set = new LimitSet(store, { subscribe: () => undefined } as unknown as Changes);
  await set.refresh();
});

interface Fields {
  readonly scope?: string;
  readonly scope_id?: string;
  readonly scope_tag?: string;
  readonly period?: string;
  readonly models?: string[];
}
const insert = async (fields: Fields = {}) => {
  const { scope = 'account', scope_id, scope_tag, period = 'day', models } = fields;
  const [row] = await source.query<[{ id: string }]>(
    `insert into limits (scope, scope_id, scope_tag, measure, period, amount, models) values ($1, $2, $3, 'requests', $4, 5, $5) returning id`,
    [scope, scope_id ?? null, scope_tag ?? null, period, models ?? null],
  );
  return Number(row.id);
};
const newKey = (fields: Partial<KeySnapshot> = {}): KeySnapshot => ({ ...keySnapshot(randomUUID()), ...fields });
const idsOf = (key: KeySnapshot, ...models: readonly string[]) => set.of(key, () => models).map(({ id }) => id);
const storedVersion = async () =>
  Number((await source.query<[{ version: string }]>('select version from limit_set'))[0].version);

describe('a refresh', () => {
  test('reads new, changed, disabled and deleted limits, and takes the version of the set', async () => {
    const key = newKey();
    const kept = await insert();
    const [disabled, deleted, ended] = [await insert(), await insert(), await insert()];
    await set.refresh();
    expect(idsOf(key)).toEqual([kept, disabled, deleted, ended]);
    await source.query('update limits set enabled = false where id = $1', [disabled]);
    await source.query('update limits set deleted_at = now() where id = $1', [deleted]);
    await source.query(`update limits set ends_at = now() - interval '1 second' where id = $1`, [ended]);
    await source.query(`update limits set models = '{a*}' where id = $1`, [kept]);
    expect(idsOf(key)).toHaveLength(4);
    await set.refresh();
    expect([idsOf(key, 'abc'), idsOf(key, 'b')]).toEqual([[kept], []]);
    await source.query('update limits set enabled = true, models = null');
    await set.refresh();
    expect(idsOf(key)).toEqual([kept, disabled]);
    expect(set.version).toBe(await storedVersion());
  });

  test('reads only what changed, and nothing else if the version is known', async () => {
    const first = await insert();
    await set.refresh();
    statements = [];
    await set.refresh();
    expect(statements).toHaveLength(1);
    const second = await insert();
    let rows: unknown[] = [];
    const store = new LimitSetStore({
      query: async (sql: string, values: unknown[]) => {
        const found = await source.query<unknown[]>(sql, values);
        if (sql.includes('order by version')) rows = rows.concat(found);
        return found;
      },
    } as unknown as DataSource);
    const changes = await store.changesSince(set.version);
    expect(changes!.changed.map(({ id }) => id)).toEqual([second]);
    expect(rows).toHaveLength(1);
    expect((await store.changesSince(-1))!.changed.map(({ id }) => id)).toEqual([first, second]);
  });

  test('reads all limits again if the version is lower than the known one, or a day older', async () => {
    const id = await insert();
    await set.refresh();
    const key = newKey();
    await source.query('delete from limits');
    await source.query('update limit_set set version = 5');
    await set.refresh();
    expect([idsOf(key), set.version]).toEqual([[], 5]);
    await insert();
    await source.query('update limits set version = 6 where id <> $1', [id]);
    await set.refresh();
    expect(idsOf(key)).toHaveLength(1);
  });

  test('forgets limits whose rows were deleted', async () => {
    const [deleted, kept] = [await insert(), await insert()];
    await set.refresh();
    await source.query('delete from limits where id = $1', [deleted]);
    await set.refresh();
    expect(idsOf(newKey())).toEqual([kept]);
  });

  test('reads sets of several pages', async () => {
    await source.query(
      `insert into limits (scope, scope_tag, measure, period, amount) select 'tag', 't' || n, 'requests', 'day', 1 from generate_series(1, 12001) as n`,
    );
    await set.refresh();
    expect([...set.all]).toHaveLength(12_001);
    expect(idsOf(newKey({ tags: ['t12001', 't1'] }))).toHaveLength(2);
  });

  test('keeps the last set while the database fails, and reads again afterwards', async () => {
    const id = await insert();
    await set.refresh();
    const key = newKey();
    failing = new Error('connection lost');
    const second = await insert();
    await set.refresh();
    expect(idsOf(key)).toEqual([id]);
    failing = null;
    await poll(() => idsOf(key)).toEqual([id, second]);
    set.onModuleDestroy();
  });
});

describe('the limits of a key', () => {
  test('limits apply in this order: key, tags of the key and of its team, team, account', async () => {
    const teamId = randomUUID();
    await source.query(`insert into teams (id, name, tags) values ($1, 'T', '{both,team-tag}')`, [teamId]);
    const key = newKey({ teamId, tags: ['both', 'key-tag'] });
    const account = await insert();
    const team = await insert({ scope: 'team', scope_id: teamId });
    const own = await insert({ scope: 'key', scope_id: key.id });
    const [keyTag, teamTag, both] = [
      await insert({ scope: 'tag', scope_tag: 'key-tag' }),
      await insert({ scope: 'tag', scope_tag: 'team-tag' }),
      await insert({ scope: 'tag', scope_tag: 'both' }),
    ];
    for (const fields of [
      { scope: 'team', scope_id: randomUUID() },
      { scope: 'key', scope_id: randomUUID() },
      { scope: 'tag', scope_tag: 'BOTH' },
    ])
      await insert(fields);
    await set.refresh();
    expect(idsOf(key)).toEqual([own, keyTag, teamTag, both, team, account]);
    expect(idsOf(newKey())).toEqual([account]);
  });

  test('the limits of a key are sorted by period, longest first', async () => {
    const periods = ['minute', 'total', 'hour', 'month', 'rolling_5h', 'day', 'week', 'rolling_7d'];
    for (const period of periods) await insert({ period });
    await set.refresh();
    expect(set.of(newKey(), () => []).map(({ period }) => period)).toEqual([
      'total',
      'month',
      'week',
      'rolling_7d',
      'day',
      'rolling_5h',
      'hour',
      'minute',
    ]);
  });

  test('the limits of a key follow changes to the tags of its team and of the key', async () => {
    const teamId = randomUUID();
    await source.query(`insert into teams (id, name) values ($1, 'T')`, [teamId]);
    const [a, b] = [await insert({ scope: 'tag', scope_tag: 'a' }), await insert({ scope: 'tag', scope_tag: 'b' })];
    await set.refresh();
    const key = newKey({ teamId });
    expect(idsOf(key)).toEqual([]);
    await source.query(`update teams set tags = '{a}'`);
    await set.refresh();
    expect(idsOf(key)).toEqual([a]);
    expect(idsOf({ ...key, tags: ['b'], version: 2 })).toEqual([a, b]);
    expect(idsOf({ ...key, teamId: null, version: 3 })).toEqual([]);
  });

  test('limits with patterns apply if one model matches regardless of case, or if any model can be used', async () => {
    const [all, mini] = [await insert(), await insert({ models: ['GPT-4o*', 'o1'] })];
    await set.refresh();
    const key = newKey();
    expect([idsOf(key, 'gpt-4O-mini'), idsOf(key, 'o3', 'O1'), idsOf(key, 'o1-pro', 'o3'), idsOf(key)]).toEqual([
      [all, mini],
      [all, mini],
      [all],
      [all],
    ]);
    expect(set.of(key, () => null).map(({ id }) => id)).toEqual([all, mini]);
    expect(set.allOf(key).map(({ id }) => id)).toEqual([all, mini]);
    // As the database does, which sums past usage.
    for (const [model, matches] of [
      ['gpt-4O-mini', true],
      ['o1-pro', false],
    ] as const)
      expect(await source.query(`select limit_names('{GPT-4o*,o1}', $1) as matches`, [model])).toEqual([{ matches }]);
  });
});
