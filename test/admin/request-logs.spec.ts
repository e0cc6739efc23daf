import { newRequestId } from '../../src/platform/request-context/request-id.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { RequestRow } from '../../src/stats/pending-records.js';
import { until } from '../support/until.js';
import { requestRow, writeRows } from '../support/request-log-rows.js';
import type { Key, TestGateway } from '../support/gateway.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { errorIn, errorCodeIn } from '../support/responses.js';
import { startSettledGateway } from '../support/settled-gateway.js';

const PATH = '/admin/request-logs';

interface Log {
  readonly id: string;
  readonly request_id: string;
  readonly created_at: string;
}
interface Page {
  readonly total: number;
  readonly has_more: boolean;
  readonly logs: Log[];
}

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let source: DataSource;
let a: Key;
let b: Key;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startSettledGateway({ GW_LOG_SAMPLE_RATE: '0' }, { upstream });
  source = gateway.app.get(DataSource);
  [a, b] = [await gateway.createKey({ name: 'first key' }), await gateway.createKey({ name: 'second' })];
});
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});
beforeEach(() => source.query('with sampled as (delete from request_logs) delete from request_refusals'));

const read = (query: Record<string, unknown> = {}) =>
  gateway.admin<Page>('GET', `${PATH}?${new URLSearchParams(query as Record<string, string>).toString()}`);
const list = async (query?: Record<string, unknown>) => (await read(query)).body;
const idsIn = ({ logs }: Page) => logs.map(({ id }) => id);
const at = (iso: string) => Date.parse(iso);

describe('request log row', () => {
  test('a row has every field, in a fixed order, with the name of its key', async () => {
    const row = requestRow(a.id, at('2026-07-31T23:59:59.999Z'), {
      status: 429,
      stream: true,
      errorCode: 'rate_limit_exceeded',
      errorMessage: 'Monthly request limit exceeded',
    });
    await writeRows(source, [row]);
    const { logs } = await list();
    expect(logs).toEqual([
      {
        id: row.id,
        request_id: row.id,
        key_id: a.id,
        key_name: 'first key',
        method: 'POST',
        endpoint: '/v1/chat/completions',
        model: 'gpt-4o-mini',
        status: 429,
        error_code: 'rate_limit_exceeded',
        error_message: 'Monthly request limit exceeded',
        stream: true,
        latency_ms: 12,
        upstream_latency_ms: 7,
        input_tokens: 3,
        output_tokens: 4,
        created_at: '2026-07-31T23:59:59.999Z',
        upstream: null,
        attempts: null,
        usage_source: 'reported',
        cost: null,
        currency: 'USD',
        cost_details: null,
      },
    ]);
    expect(Object.keys(logs[0]!).join()).toBe(
      'id,request_id,key_id,key_name,method,endpoint,model,status,error_code,error_message,stream,latency_ms,upstream_latency_ms,input_tokens,output_tokens,created_at,upstream,attempts,usage_source,cost,currency,cost_details',
    );
  });

  test('a row distinguishes null from zero', async () => {
    const none = { model: null, upstreamLatencyMs: null, inputTokens: 0, outputTokens: 0, latencyMs: 0 };
    await writeRows(source, [requestRow(a.id, Date.now(), none)]);
    const [log] = (await list()).logs;
    expect(log).toMatchObject({ model: null, error_code: null, error_message: null, upstream_latency_ms: null });
    expect(log).toMatchObject({ latency_ms: 0, input_tokens: 0, output_tokens: 0 });
  });
});

describe('GET /admin/request-logs', () => {
  const MODELS = ['gpt-4o', 'gpt-4o-mini', null];
  const ENDPOINTS = ['/v1/chat/completions', '/v1/files/{file_id}'];
  const STATUSES = [200, 400, 502];
  let rows: RequestRow[];

  beforeEach(async () => {
    // The rows span three months and thus three partitions. Several of them share a millisecond.
    rows = Array.from({ length: 240 }, (_, n) =>
      requestRow(
        n % 3 === 0 ? b.id : a.id,
        at('2026-06-30T23:59:59.990Z') + (n % 30) + (n % 7 === 0 ? 31 * 86_400_000 : 0),
        {
          model: MODELS[n % 4] ?? null,
          endpoint: ENDPOINTS[n % 5 === 0 ? 1 : 0]!,
          status: STATUSES[n % 8] ?? 200,
        },
      ),
    );
    await writeRows(source, rows);
  });

  const newestFirst = (x: RequestRow, y: RequestRow) =>
    y.createdAtMs - x.createdAtMs || (x.id === y.id ? 0 : x.id < y.id ? 1 : -1);

  test('every combination of filters returns exactly the matching rows, newest first', async () => {
    const middle = at('2026-07-01T00:00:00.004Z');
    const filters: [Record<string, string>, (row: RequestRow) => boolean][] = [
      [{ key_id: a.id }, (row) => row.keyId === a.id],
      [{ model: 'gpt-4o' }, (row) => row.model === 'gpt-4o'],
      [{ endpoint: '/v1/files/{file_id}' }, (row) => row.endpoint === '/v1/files/{file_id}'],
      [{ status: '502' }, (row) => row.status === 502],
      [{ since: '2026-06-30T23:59:59.995Z' }, (row) => row.createdAtMs >= at('2026-06-30T23:59:59.995Z')],
      [{ until: '2026-07-01T00:00:00.004Z' }, (row) => row.createdAtMs <= middle],
    ];
    const matched: number[] = [];
    for (let mask = 0; mask < 2 ** filters.length; mask++) {
      const chosen = filters.filter((_, n) => (mask >> n) % 2 === 1);
      const query = Object.assign({}, ...chosen.map(([parameter]) => parameter)) as Record<string, string>;
      const expected = rows.filter((row) => chosen.every(([, holds]) => holds(row))).sort(newestFirst);
      const page = await list({ ...query, limit: 500 });
      expect([query, page.total, page.has_more, idsIn(page)]).toEqual([
        query,
        expected.length,
        false,
        expected.map(({ id }) => id),
      ]);
      matched.push(expected.length);
    }
    expect(matched.filter((n) => n > 0).length).toBeGreaterThan(40);
  });

  test.each<[string, () => Record<string, unknown>, (row: RequestRow) => boolean]>([
    ['the whole log', () => ({}), () => true],
    ['one key', () => ({ key_id: a.id }), (row) => row.keyId === a.id],
    ['one status', () => ({ status: 200 }), (row) => row.status === 200],
  ])('the pages of %s contain each row once, for any page size', async (_what, queryOf, matches) => {
    const query = queryOf();
    const expected = rows
      .filter(matches)
      .sort(newestFirst)
      .map(({ id }) => id);
    const total = expected.length;
    for (const limit of [1, 7, 100, 500]) {
      const steps =
        limit === 1 ? [0, 1, total - 1] : Array.from({ length: Math.ceil(total / limit) }, (_, n) => n * limit);
      for (const offset of steps) {
        const page = await list({ ...query, limit, offset });
        expect([page.total, page.has_more]).toEqual([total, offset + limit < total]);
        expect(idsIn(page)).toEqual(expected.slice(offset, offset + limit));
      }
    }
    for (const offset of [total, 100_000])
      expect(await list({ ...query, offset })).toEqual({ total, has_more: false, logs: [] });
  });

  test('returns 100 rows by default', async () => {
    expect((await list()).logs).toHaveLength(100);
  });

  test('a range without rows and an unknown key return an empty list', async () => {
    const nothing = { total: 0, has_more: false, logs: [] };
    expect(await list({ since: '2020-01-01', until: '2020-01-02' })).toEqual(nothing);
    expect(await list({ since: '0001-01-01', until: '0001-01-01' })).toEqual(nothing);
    expect(await list({ since: '9999-12-31T23:59:59.999Z' })).toEqual(nothing);
    expect(await list({ key_id: randomUUID() })).toEqual(nothing);
    expect((await list({ until: '9999-12-31T23:59:59.999Z', key_id: a.id.toUpperCase() })).total).toBe(160);
  });

  test('model and endpoint are matched exactly', async () => {
    for (const model of ['gpt-4', 'GPT-4o', '%', "' or true --", 'gpt-4o '])
      expect((await list({ model })).total).toBe(0);
    expect((await list({ endpoint: '/v1/files/' })).total).toBe(0);
  });
});

describe('request_id filter', () => {
  test('finds one sampled row by its ID, regardless of case, if the other filters match too', async () => {
    const row = requestRow(a.id, at('2025-01-31T23:59:59.999Z'), { model: 'gpt-4o', status: 502 });
    await writeRows(source, [row, requestRow(a.id, row.createdAtMs)]);
    const found = { total: 1, has_more: false, logs: [expect.objectContaining({ id: row.id, key_name: 'first key' })] };
    expect(await list({ request_id: row.id })).toEqual(found);
    expect(await list({ request_id: row.id.toUpperCase() })).toEqual(found);
    const all = { key_id: a.id, model: 'gpt-4o', endpoint: '/v1/chat/completions', status: 502 };
    expect(await list({ request_id: row.id, ...all, since: '2025-01-31', until: '2025-02-01' })).toEqual(found);
    for (const other of [
      { key_id: b.id },
      { model: 'gpt-4o-mini' },
      { endpoint: '/v1/files' },
      { status: 500 },
      { since: '2025-02-01' },
      { until: '2025-01-31T23:59:59.998Z' },
    ])
      expect(await list({ request_id: row.id, ...other })).toEqual({ total: 0, has_more: false, logs: [] });
    expect(await list({ request_id: row.id, offset: 1 })).toEqual({ total: 1, has_more: false, logs: [] });
  });

  test('finds a rejected request outside the sample, which no other query lists', async () => {
    const refused = requestRow(a.id, Date.now() - 6 * 86_400_000, { status: 403, errorCode: 'model_not_allowed' });
    await writeRows(source, [refused], 'request_refusals');
    const sampled = requestRow(a.id, Date.now());
    await writeRows(source, [sampled]);
    expect((await list({ request_id: refused.id })).logs).toMatchObject([
      { id: refused.id, key_name: 'first key', status: 403, error_code: 'model_not_allowed' },
    ]);
    expect((await list({ request_id: refused.id, status: 403 })).total).toBe(1);
    expect((await list({ request_id: refused.id, status: 200 })).total).toBe(0);
    for (const query of [{}, { key_id: a.id }, { since: '2020-01-01' }])
      expect(idsIn(await list(query))).toEqual([sampled.id]);
    expect((await list({ status: 403 })).total).toBe(0);
  });

  test('finds the reason for a rejected request, but nothing for an unsampled success', async () => {
    const refused = await gateway.chat(a, { temperature: 9 });
    const served = await gateway.chat(a);
    const error_message = errorIn(refused).message;
    const idOf = ({ headers }: typeof served) => headers.get('x-request-id')!;
    await until(async () => (await list({ request_id: idOf(refused) })).total === 1);
    expect((await list({ request_id: idOf(refused) })).logs).toMatchObject([
      { status: 400, error_code: 'invalid_value', error_message, key_id: a.id, model: 'gpt-4o-mini' },
    ]);
    expect((await list({ request_id: idOf(served) })).total).toBe(0);
  });

  test('an ID that the gateway cannot have generated finds nothing, even if a row has it', async () => {
    const moment = Date.now();
    const strange = [
      randomUUID(),
      '00000000-0000-0000-0000-000000000000',
      newRequestId(moment).replace(/-7(...)-./, '-7$1-c'),
    ];
    await writeRows(
      source,
      strange.map((id) => requestRow(a.id, moment, { id })),
    );
    const far = `ffffffff-ffff-7${newRequestId(moment).slice(15)}`;
    for (const id of [...strange, far, newRequestId(moment), newRequestId(0)])
      expect([id, await list({ request_id: id })]).toEqual([id, { total: 0, has_more: false, logs: [] }]);
  });

  test('reads only the partition that the request ID belongs to', async () => {
    await writeRows(
      source,
      Array.from({ length: 12 }, (_, month) => requestRow(a.id, Date.UTC(2026, month, 2))),
    );
    await writeRows(source, [requestRow(a.id, Date.UTC(2026, 5, 2))]);
    // A query that reads another month waits for these locks until it fails.
    const blocker = source.createQueryRunner();
    await blocker.startTransaction();
    try {
      for (const month of ['01', '02', '03', '04', '05', '07', '08'])
        await blocker.query(`lock table request_logs_2026_${month} in access exclusive mode`);
      expect((await list({ request_id: newRequestId(Date.UTC(2026, 5, 3)) })).total).toBe(0);
    } finally {
      await blocker.rollbackTransaction();
      await blocker.release();
    }
  });
});

describe('invalid request log query', () => {
  test.each([
    ...['x', '', '0198c0de', `${randomUUID()}0`, '%00'].map((id) => [`request_id=${id}`, 'request_id']),
    ...['x', '', "'%20or%20true", '{}'].map((id) => [`key_id=${id}`, 'key_id']),
    ...['', '%00', 'x'.repeat(201)].map((model) => [`model=${model}`, 'model']),
    ...['', 'a%00b', 'x'.repeat(201)].map((endpoint) => [`endpoint=${endpoint}`, 'endpoint']),
    ...['ok', '', '99', '600', '2e2', '-200', '200.0', '4xx'].map((status) => [`status=${status}`, 'status']),
    ...['soon', '', '2026-02-30', '2026-13-01', '1893456000', '2026-01-01T24:00:00Z'].map((time) => [
      `since=${time}`,
      'since',
    ]),
    ...['x', '5-5', '10000-01-01'].map((time) => [`until=${time}`, 'until']),
    ['since=2026-02-02&until=2026-02-01', 'since'],
    ...['0', '501', '-1', 'x', '', '1.5', '1e1', '%201'].map((limit) => [`limit=${limit}`, 'limit']),
    ...['-1', '100001', 'x', '', '0.5'].map((offset) => [`offset=${offset}`, 'offset']),
    ['colour=red', 'colour'],
    ['__proto__=1', '__proto__'],
    ['sort_by=status', 'sort_by'],
    ['limit=1&limit=2', 'limit'],
    ['model=a&model=b', 'model'],
  ] as [string, string][])('%s is rejected and the parameter is named', async (query, param) => {
    expect(errorCodeIn(await gateway.admin('GET', `${PATH}?${query}`))).toBe(`400 validation_error ${param}`);
  });

  test('the route requires GET and the admin key', async () => {
    expect(errorCodeIn(await gateway.call('GET', PATH))).toBe('401 missing_api_key');
    expect(errorCodeIn(await gateway.call('GET', PATH, { key: a }))).toBe('401 invalid_api_key');
    expect(errorCodeIn(await gateway.admin('DELETE', PATH))).toBe('404 route_not_found');
  });
});
