import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { errorCodeIn } from '../support/responses.js';
import { LimitFiguresReads } from '../../src/quota/limits/limit-figures.read-model.js';
import { LimitList, type LimitFilter } from '../../src/quota/limits/limit-list.read-model.js';
import type { TestGateway } from '../support/gateway.js';
import type { ShownLimit } from '../support/limit-calls.js';
import { noonZone } from '../support/limit-zones.js';
import { startLimitsGateway, type LimitPage } from '../support/limits-gateway.js';

let gateway: TestGateway;
let source: DataSource;
let teamId: string;
let keyId: string;
beforeAll(async () => {
  ({ gateway, source, teamId, keyId } = await startLimitsGateway());
});
afterAll(() => gateway.stop());
beforeEach(() => source.query('delete from limits'));

const create = (body: object) => gateway.admin<ShownLimit>('POST', '/admin/limits', body);
const list = async (query = '') => (await gateway.admin<LimitPage>('GET', `/admin/limits${query}`)).body;
const NO_FILTER: LimitFilter = {
  scope: null,
  teamId: null,
  keyId: null,
  tag: null,
  measure: null,
  mode: null,
  appliesToKey: null,
};
const ACCOUNT = { scope: 'account', measure: 'requests', period: 'day', amount: 1000 };

describe('GET /admin/limits', () => {
  test('filters by scope, target, measure and mode, and by the key to which limits apply', async () => {
    const other = await gateway.createKey();
    const made = new Map<string, number>();
    for (const [name, fields] of Object.entries({
      account: {},
      team: { scope: 'team', team_id: teamId },
      key: { scope: 'key', key_id: keyId, measure: 'tokens' },
      tag: { scope: 'tag', tag: 'prod', mode: 'observe' },
      otherKey: { scope: 'key', key_id: other.id },
      otherTag: { scope: 'tag', tag: 'test' },
    }))
      made.set(name, (await create({ ...ACCOUNT, ...fields })).body.id);
    const names = async (query: string) => {
      const { limits } = await list(query);
      return limits.map(({ id }) => [...made].find(([, known]) => known === id)![0]).sort();
    };
    expect(await names('?scope=key')).toEqual(['key', 'otherKey']);
    expect(await names(`?team_id=${teamId}`)).toEqual(['team']);
    expect(await names(`?key_id=${keyId}`)).toEqual(['key']);
    expect(await names('?tag=test')).toEqual(['otherTag']);
    expect(await names('?measure=tokens')).toEqual(['key']);
    expect(await names('?mode=observe')).toEqual(['tag']);
    expect(await names(`?applies_to_key=${keyId}`)).toEqual(['account', 'key', 'tag', 'team']);
    expect(await names(`?applies_to_key=${other.id}`)).toEqual(['account', 'otherKey']);
    await source.query(`update teams set tags = '{test}' where id = $1`, [teamId]);
    expect(await names(`?applies_to_key=${keyId}&scope=tag`)).toEqual(['otherTag', 'tag']);
    await source.query(`update teams set tags = '{}' where id = $1`, [teamId]);
  });

  test('sorts by creation and by the share of use, in pages', async () => {
    const ids = [];
    for (const amount of [100, 200, 400, 800]) ids.push((await create({ ...ACCOUNT, period: 'week', amount })).body.id);
    const [a, b, c, d] = ids as [number, number, number, number];
    const setUsed = (id: number, used: number) =>
      source.query('update limit_counters set used = $2 where limit_id = $1', [id, used]);
    await setUsed(a, 10);
    await setUsed(b, 100);
    await setUsed(d, 700);
    const order = async (query: string) => (await list(query)).limits.map(({ id }) => id);
    expect(await order('')).toEqual([d, c, b, a]);
    expect(await order('?sort=used')).toEqual([d, b, a, c]);
    expect(await order('?sort=used&limit=2&offset=1')).toEqual([b, a]);
    expect(await list('?limit=2')).toMatchObject({ total: 4, has_more: true });
  });

  test('limits beyond those that are ordered by forecast follow, ordered by share', async () => {
    for (const [used, period] of [
      [50, 'day'],
      [650, 'day'],
      [100, 'day'],
      [900, 'day'],
      // The highest share, but without a forecast.
      [950, 'total'],
    ] as const) {
      const time_zone = period === 'day' ? noonZone() : undefined;
      const { body } = await create({ ...ACCOUNT, period, time_zone });
      await source.query('update limit_counters set used = $2 where limit_id = $1', [body.id, used]);
    }
    const few = new LimitList(source, gateway.app.get(LimitFiguresReads), 2);
    const usedOf = async (limit: number, offset: number) => {
      const { total, limits } = await few.read({ filter: NO_FILTER, sort: 'runs_out', limit, offset });
      expect(total).toBe(5);
      return limits.map(({ figures }) => Number(figures.used));
    };
    expect(await usedOf(20_000, 0)).toEqual([900, 950, 650, 100, 50]);
    expect(await usedOf(1, 0)).toEqual([900]);
    expect(await usedOf(3, 1)).toEqual([950, 650, 100]);
    expect(await usedOf(2, 2)).toEqual([650, 100]);
    expect((await list('?sort=runs_out')).limits.map(({ used }) => used)).toEqual([900, 650, 950, 100, 50]);
  });

  test.each(['sort=cheapest', 'scope=all', 'measure=words', 'team_id=x', 'tag=a%20b', 'limit=0', 'unknown=1'])(
    'refuses ?%s',
    async (query) => {
      const [param] = query.split('=');
      expect(errorCodeIn(await gateway.admin('GET', `/admin/limits?${query}`))).toBe(`400 validation_error ${param}`);
    },
  );

  test('exports all matching limits as CSV', async () => {
    await create({ ...ACCOUNT, name: '=1+1', models: ['a*', 'b'] });
    await create({ ...ACCOUNT, measure: 'cost', amount: '1.5', period: 'total' });
    const response = await gateway.admin('GET', '/admin/limits?format=csv&limit=1');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="limits.csv"');
    const [head, ...rows] = response.text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(head!.slice(0, 8)).toEqual(['id', 'name', 'scope', 'team_id', 'key_id', 'tag', 'measure', 'period']);
    expect(rows.map((row) => row[head!.indexOf('amount')])).toEqual(['1.5', '1000']);
    expect(rows[1]![1]).toBe(`'=1+1`);
    expect(rows[1]![head!.indexOf('models')]).toBe('a* b');
    expect(rows[1]![head!.indexOf('alert_thresholds')]).toBe('50 80 100');
    expect(head).toEqual(expect.arrayContaining(['weights', 'carry_over']));
    for (const row of rows) expect(row).toHaveLength(head!.length);
  });
});
