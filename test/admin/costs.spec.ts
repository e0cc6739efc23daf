import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { CostDayStore } from '../../src/costs/stores/cost-day.store.js';
import { errorCodeIn } from '../support/responses.js';
import type { Key, Response, TestGateway } from '../support/gateway.js';
import { OperatorSession } from '../support/operator-session.js';
import { untilPasses } from '../support/poll.js';
import { until } from '../support/until.js';
import { startSettledGateway } from '../support/settled-gateway.js';

const PATH = '/admin/costs';
const DAY_MS = 86_400_000;
const dateOf = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

interface Figures {
  readonly cost: string | null;
  readonly currency: string;
  readonly requests: number;
  readonly unpriced_requests: number;
  readonly tokens: Readonly<Record<string, number>>;
}
interface Costs {
  readonly object: string;
  readonly since: string;
  readonly until: string;
  readonly group_by: string;
  readonly total: number;
  readonly has_more: boolean;
  readonly totals: Figures;
  readonly groups: (Figures & Readonly<Record<string, unknown>>)[];
  readonly this_month: Figures & { readonly month: string };
  readonly last_month: Figures & { readonly month: string };
  readonly forecast: unknown;
}

let gateway: TestGateway;
let source: DataSource;
let keys: Key[];
beforeAll(async () => {
  gateway = await startSettledGateway();
  source = gateway.app.get(DataSource);
  keys = [];
  for (const name of ['billing, "A"', '=cmd|calc']) keys.push(await gateway.createKey({ name }));
});
afterAll(() => gateway.stop());
beforeEach(() => source.query('delete from cost_daily'));

interface Row {
  readonly ago: number;
  readonly key?: number;
  readonly model?: string;
  readonly endpoint?: string;
  readonly provider?: string;
  readonly requests?: number;
  readonly unpriced?: number;
  readonly nanos?: string;
}

async function insert(rows: readonly Row[]): Promise<void> {
  for (const { ago, key = 0, model = 'gpt-4o', endpoint = '/v1/chat/completions', ...row } of rows)
    await source.query(
      `insert into cost_daily select * from jsonb_populate_record(
         (select jsonb_populate_record(null::cost_daily, jsonb_object_agg(column_name, 0)) from information_schema.columns
           where table_name = 'cost_daily' and data_type = 'bigint'), $1::jsonb)`,
      [
        JSON.stringify({
          day: dateOf(ago),
          key_id: keys[key]!.id,
          model,
          endpoint,
          provider: row.provider ?? 'default',
          requests: row.requests ?? 1,
          unpriced_requests: row.unpriced ?? 0,
          cost_nanos: row.nanos ?? '0',
          input: 10,
          cached_input: 20,
          web_searches: 3,
          backfilled: false,
        }),
      ],
    );
}
const read = async (query = '') => (await gateway.admin<Costs>('GET', `${PATH}?${query}`)).body;

describe('GET /admin/costs', () => {
  test('groups the last 30 days by day, with the recorded cost of a request', async () => {
    await gateway.chat(keys[0]!);
    await untilPasses(async () => {
      const costs = await read();
      expect(costs).toMatchObject({
        object: 'costs',
        since: dateOf(29),
        until: dateOf(0),
        group_by: 'day',
        total: 1,
        has_more: false,
        totals: { currency: 'USD', requests: 1, unpriced_requests: 0, estimated_requests: 0, backfilled_requests: 0 },
        groups: [{ day: dateOf(0), requests: 1 }],
        this_month: { month: dateOf(0).slice(0, 7), requests: 1 },
      });
      expect(costs.totals.cost).toMatch(/^0\.0*[1-9]/);
      expect(costs.groups[0]!.cost).toBe(costs.totals.cost);
      expect(costs.totals.tokens.input! + costs.totals.tokens.output!).toBeGreaterThan(0);
    });
  });

  test('names keys, and has null for requests without a model', async () => {
    await insert([
      { ago: 1, nanos: '2500000000' },
      { ago: 2, key: 1, model: '', nanos: '37500000' },
    ]);
    expect((await read('group_by=key')).groups).toMatchObject([
      { key_id: keys[0]!.id, key_name: 'billing, "A"', cost: '2.5' },
      { key_id: keys[1]!.id, key_name: '=cmd|calc', cost: '0.0375' },
    ]);
    expect((await read('group_by=day,model&sort=name')).groups).toMatchObject([
      { day: dateOf(2), model: null, cost: '0.0375' },
      { day: dateOf(1), model: 'gpt-4o', cost: '2.5' },
    ]);
    expect((await read('model=')).totals).toMatchObject({ cost: '0.0375', units: { web_searches: 3 } });
    expect((await read(`key_id=${keys[0]!.id.toUpperCase()}&group_by=provider`)).groups).toMatchObject([
      { provider: 'default', cost: '2.5', tokens: { input: 10, cached_input: 20, output: 0 } },
    ]);
  });

  test('shows null, not 0, if no request has a price, and a lower bound if some have none', async () => {
    await insert([
      { ago: 1, model: 'a', requests: 2, unpriced: 2 },
      { ago: 1, model: 'b', requests: 2, unpriced: 1, nanos: '7' },
      { ago: 1, model: 'c', requests: 1 },
    ]);
    const costs = await read('group_by=model&sort=name');
    expect(costs.groups.map(({ model, cost, unpriced_requests: n }) => [model, cost, n])).toEqual([
      ['a', null, 2],
      ['b', '0.000000007', 1],
      ['c', '0', 0],
    ]);
    expect(costs.totals).toMatchObject({ cost: '0.000000007', unpriced_requests: 3, requests: 5 });
  });

  test('pages through the values of two dimensions, and each value has all of its days', async () => {
    await insert([
      ...[1, 2, 3].map((ago) => ({ ago, model: 'a', nanos: '1' })),
      ...[1, 2].map((ago) => ({ ago, model: 'b', nanos: '100' })),
    ]);
    const first = await read('group_by=day,model&limit=1');
    expect(first).toMatchObject({ total: 2, has_more: true });
    expect(first.groups.map(({ day, model }) => [day, model])).toEqual([2, 1].map((ago) => [dateOf(ago), 'b']));
    const second = await read('group_by=day,model&limit=1&offset=1');
    expect(second).toMatchObject({ total: 2, has_more: false, totals: { requests: 5 } });
    expect(second.groups).toHaveLength(3);
  });

  test.each([
    ['since=yesterday', 'since'],
    ['since=2026-07-02&until=2026-07-01', 'since'],
    ['until=2026-13-01', 'until'],
    ['group_by=week', 'group_by'],
    ['group_by=key,day', 'group_by'],
    ['group_by=key,model', 'group_by'],
    ['group_by=day&group_by=key', 'group_by'],
    ['sort=tokens', 'sort'],
    ['key_id=1', 'key_id'],
    [`model=${'x'.repeat(201)}`, 'model'],
    ['provider=%00', 'provider'],
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['offset=-1', 'offset'],
    ['format=xml', 'format'],
    ['currency=EUR', 'currency'],
  ])('rejects %s with validation_error that names the parameter', async (query, param) => {
    const { status, body } = await gateway.admin<{ error: { code: string; param: string } }>('GET', `${PATH}?${query}`);
    expect({ status, code: body.error.code, param: body.error.param }).toEqual({
      status: 400,
      code: 'validation_error',
      param,
    });
  });

  test('costs can be read by a viewer, but not with an API key', async () => {
    const viewer = await OperatorSession.of(gateway, 'viewer');
    for (const path of [PATH, `${PATH}?format=csv`, `${PATH}/focus`])
      expect((await viewer.call('GET', path)).status).toBe(200);
    expect(errorCodeIn(await gateway.call('GET', PATH, { key: keys[0] }))).toMatch(/invalid_api_key/);
  });

  test('reads closed days with the same result', async () => {
    await insert([1, 2, 3].map((ago) => ({ ago, nanos: String(ago) })));
    const before = await read('group_by=day,key');
    const days = gateway.app.get(CostDayStore, { strict: false });
    for (const day of await days.findOpen(10)) await days.close(day);
    expect(await days.findOpen(10)).toEqual([]);
    expect(await read('group_by=day,key')).toEqual(before);
  });
});

describe('a report that would read too many rows', () => {
  const ENDPOINT = 'endpoint=/v1/chat/completions';
  const statusOf = async (query: string) => {
    const { status, body } = await gateway.admin<{ error?: { message: string } }>('GET', `${PATH}?${query}`);
    return status === 200 ? '200' : `${status} ${body.error!.message}`;
  };
  beforeEach(async () => {
    await insert([{ ago: 0 }, { ago: 1 }, { ago: 299 }]);
    // The database would know this about 3 million rows of 300 days.
    await source.query(`update pg_class set reltuples = 3000000 where oid = 'cost_daily'::regclass`);
  });
  afterAll(() => source.query('analyze cost_daily'));

  test.each([
    ['days of values with a filter', `group_by=day,model&${ENDPOINT}`],
    ['values with two filters', `group_by=key&model=gpt-4o&${ENDPOINT}`],
    ['days with two filters', `provider=default&${ENDPOINT}`],
    ['days of values in a CSV file', `group_by=day,model&${ENDPOINT}&format=csv`],
  ])('a report that would read too many rows is rejected with the remedy: %s', async (_name, query) => {
    expect(await statusOf(`${query}&since=${dateOf(200)}`)).toMatch(
      /^400 Invalid value for 'since': it must be a later day, because this report would read too many rows\. Reports of a key/,
    );
    expect(await statusOf(`${query}&since=${dateOf(140)}`)).toBe('200');
    expect(await statusOf(`${query}&since=${dateOf(299)}&until=${dateOf(160)}`)).toBe('200');
  });

  test('any range is accepted for a key, for one dimension by day, and for one filter without days', async () => {
    for (const query of [
      `group_by=day,model&${ENDPOINT}&key_id=${keys[0]!.id}`,
      `group_by=key&${ENDPOINT}`,
      `group_by=provider&model=gpt-4o`,
      'group_by=day,key',
      'group_by=day,key&model=gpt-4o',
      ENDPOINT,
    ])
      expect([query, await statusOf(`${query}&since=${dateOf(299)}`)]).toEqual([query, '200']);
  });
});

describe('CSV exports', () => {
  const csv = (path: string) => gateway.admin('GET', path);
  /** Retries 503, because a query on a busy machine can exceed the statement timeout. */
  async function unlessBusy(path: string) {
    const responses: Response<{ error: { param: string; message: string } }>[] = [];
    await until(async () => {
      responses.push(await gateway.admin('GET', path));
      return responses.at(-1)!.status !== 503;
    });
    return responses.at(-1)!;
  }

  test('the CSV of a report has all groups, and text that a spreadsheet could run has an apostrophe', async () => {
    await insert([
      { ago: 1, nanos: '2500000000' },
      { ago: 1, key: 1, requests: 4, unpriced: 4 },
    ]);
    const { status, headers, text } = await csv(`${PATH}?format=csv&group_by=day,key&limit=1`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="costs.csv"');
    const [head, ...lines] = text.split('\r\n');
    expect(head).toMatch(
      /^day,key_id,key_name,cost,currency,requests,unpriced_requests,estimated_requests,backfilled_requests,input,cached_input,/,
    );
    expect(lines).toEqual([
      expect.stringMatching(`^${dateOf(1)},${keys[0]!.id},"billing, ""A""",2\\.5,USD,1,0,0,0,10,20,`),
      expect.stringMatching(`^${dateOf(1)},${keys[1]!.id},"'=cmd\\|calc",,USD,4,4,0,0,10,20,`),
      '',
    ]);
  });

  test('a CSV file with more than 100,000 rows is rejected with advice', async () => {
    await source.query(
      `insert into cost_daily select * from jsonb_populate_record(
         (select jsonb_populate_record(null::cost_daily, jsonb_object_agg(column_name, 0)) from information_schema.columns
           where table_name = 'cost_daily' and data_type = 'bigint'),
         jsonb_build_object('day', $1::text, 'key_id', $2::text, 'model', '', 'endpoint', '', 'provider', '', 'backfilled', false))`,
      [dateOf(1), keys[0]!.id],
    );
    for (let from = 1; from <= 100_000; from += 2000)
      await source.query(
        `insert into cost_daily select r.*
           from cost_daily c, generate_series($1::int, $1::int + 1999) n,
                lateral jsonb_populate_record(c, jsonb_build_object('model', n::text)) r
          where c.model = ''`,
        [from],
      );
    await source.query('analyze cost_daily');
    const { status, body } = await unlessBusy(`${PATH}?format=csv&group_by=model`);
    expect({ status, param: body.error.param }).toEqual({ status: 400, param: 'since' });
    expect(body.error.message).toContain('more than 100,000 rows');
    expect((await unlessBusy(`${PATH}?format=csv&group_by=endpoint`)).status).toBe(200);
    // An export streams any number of rows.
    const { text } = await csv(`${PATH}/focus`);
    expect(text.split('\r\n')).toHaveLength(100_001 + 2);
  });

  test('the FOCUS export is a CSV file with the amounts, filters and marks of the report', async () => {
    await insert([
      { ago: 1, nanos: '2500000000' },
      { ago: 2, key: 1, model: '@x', requests: 4, unpriced: 4 },
    ]);
    const { status, headers, text } = await csv(`${PATH}/focus?since=${dateOf(2)}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="costs-focus-1.2.csv"');
    const lines = text.split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^AvailabilityZone,BilledCost,BillingAccountId,/);
    // Programs compare the names with those of other sources.
    expect(lines[1]).toContain(',@x,');
    expect(lines[1]).toContain('""unpriced_requests"":""4""');
    expect(lines[2]).toMatch(/^,2\.5,default,default,Upstream,USD,/);
    expect((await csv(`${PATH}/focus?key_id=${keys[0]!.id}`)).text.split('\r\n')).toHaveLength(3);
  });

  test.each([
    ['since=x', 'since'],
    ['group_by=day', 'group_by'],
    ['limit=5', 'limit'],
  ])('the FOCUS export rejects %s', async (query, param) => {
    const { status, body } = await gateway.admin<{ error: { param: string } }>('GET', `${PATH}/focus?${query}`);
    expect({ status, param: body.error.param }).toEqual({ status: 400, param });
  });
});
