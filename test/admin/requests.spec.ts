import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { RequestRow } from '../../src/stats/pending-records.js';
import { StatsWriter } from '../../src/stats/stats-writer.service.js';
import type { RequestTable } from '../../src/stats/stores/request-row.store.js';
import { poll } from '../support/poll.js';
import { requestRow, writeRows } from '../support/request-log-rows.js';
import type { Key, TestGateway } from '../support/gateway.js';
import { errorIn } from '../support/responses.js';
import { startSettledGateway } from '../support/settled-gateway.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';

const PATH = '/admin/requests';
const DAY_MS = 86_400_000;
const MONTH_MS = 31 * DAY_MS;
/** Older failures would be deleted. */
const START = Math.floor((Date.now() - 3 * DAY_MS) / 1000) * 1000;
const isoAt = (ms: number) => new Date(ms).toISOString();

interface Listed {
  readonly id: string;
  readonly sampled: boolean;
  readonly team_name: string | null;
}
interface Page {
  readonly requests: Listed[];
  readonly next_cursor: string | null;
}
type Query = Readonly<Record<string, string>>;
interface Stored {
  readonly row: RequestRow;
  readonly table: RequestTable;
}

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let source: DataSource;
let a: Key;
let b: Key;
let teamId: string;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startSettledGateway({ GW_LOG_SAMPLE_RATE: '0' }, { upstream });
  source = gateway.app.get(DataSource);
  // The request of the start is one of the first of its key.
  await gateway.app.get(StatsWriter).lastFlush();
  teamId = (await gateway.admin<{ id: string }>('POST', '/admin/teams', { name: 'checkout', tags: ['eu'] })).body.id;
  a = await gateway.createKey({ name: 'first key', tags: ['batch'] });
  b = await gateway.createKey({ name: 'second key', team_id: teamId });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});
beforeEach(() => source.query('with sampled as (delete from request_logs) delete from request_refusals'));

const urlOf = (query: Query) => `${PATH}?${new URLSearchParams(query).toString()}`;
const read = (query: Query) => gateway.admin<Page>('GET', urlOf(query));
async function pages(query: Query): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body } = await read({ ...query, ...(cursor !== '' && { cursor }) });
    expect([query, status]).toEqual([query, 200]);
    all.push(...body.requests);
    cursor = body.next_cursor;
  }
  return all;
}

const MODELS = ['gpt-4o', 'gpt-4o-mini', null];
const ERRORS = [
  { status: 200, errorCode: null },
  { status: 400, errorCode: 'invalid_json' },
  { status: 429, errorCode: 'rate_limit_exceeded' },
  { status: 502, errorCode: 'upstream_error' },
];

/** Rows of both tables over two partitions. Several of them share a millisecond, a latency or a cost. */
async function storeMany(): Promise<Stored[]> {
  const stored = Array.from({ length: 240 }, (_, n): Stored => {
    const sampled = n % 2 === 0;
    const atMs = START + (n % 30) - (sampled && n % 7 === 0 ? MONTH_MS : 0);
    const given = {
      ...ERRORS[n % 4]!,
      model: MODELS[n % 5] ?? null,
      endpoint: n % 5 === 0 ? '/v1/files/{file_id}' : '/v1/chat/completions',
      upstream: n % 6 === 0 ? 'azure' : null,
      latencyMs: (n % 9) * 100,
      costNanos: n % 2 === 0 ? String((n % 8) * 1_000_000) : null,
    };
    return {
      row: requestRow(n % 3 === 0 ? b.id : a.id, atMs, given),
      table: sampled ? 'request_logs' : 'request_refusals',
    };
  });
  for (const table of ['request_logs', 'request_refusals'] as const) {
    const rows = stored.filter((one) => one.table === table).map(({ row }) => row);
    await writeRows(source, rows, table);
  }
  return stored;
}

type Rank = (row: RequestRow) => number;
const descendingBy =
  (rank: Rank) =>
  ({ row: x }: Stored, { row: y }: Stored): number =>
    rank(y) - rank(x) || y.createdAtMs - x.createdAtMs || (x.id === y.id ? 0 : x.id < y.id ? 1 : -1);
const byTime = descendingBy(() => 0);
const idsOf = (stored: readonly Stored[]) => stored.map(({ row }) => row.id);

describe('GET /admin/requests', () => {
  test('every combination of filters returns the matching requests of both tables, page by page', async () => {
    const stored = await storeMany();
    const middle = isoAt(START + 14);
    const filters: [Query, (row: RequestRow) => boolean][] = [
      [{ key_id: a.id.toUpperCase() }, ({ keyId }) => keyId === a.id],
      [{ model: 'gpt-4o' }, ({ model }) => model === 'gpt-4o'],
      [{ endpoint: '/v1/files/{file_id}' }, ({ endpoint }) => endpoint === '/v1/files/{file_id}'],
      [{ status: 'error' }, ({ status }) => status >= 400],
      [{ latency_min_ms: '400' }, ({ latencyMs }) => latencyMs >= 400],
      [{ since: middle }, ({ createdAtMs }) => createdAtMs >= Date.parse(middle)],
    ];
    const matched: number[] = [];
    for (let mask = 0; mask < 2 ** filters.length; mask++) {
      const chosen = filters.filter((_, n) => (mask >> n) % 2 === 1);
      const query = Object.assign({ limit: '23' }, ...chosen.map(([parameter]) => parameter)) as Query;
      const expected = stored.filter(({ row }) => chosen.every(([, holds]) => holds(row))).toSorted(byTime);
      expect([query, (await pages(query)).map(({ id }) => id)]).toEqual([query, idsOf(expected)]);
      matched.push(expected.length);
    }
    expect(matched.filter((n) => n > 0).length).toBeGreaterThan(40);
  });

  test.each<[Query, (stored: Stored) => boolean]>([
    [{ status: '4xx' }, ({ row }) => row.status >= 400 && row.status <= 499],
    [{ status: '5xx' }, ({ row }) => row.status >= 500],
    [{ status: '429' }, ({ row }) => row.status === 429],
    [{ error_code: 'upstream_error' }, ({ row }) => row.errorCode === 'upstream_error'],
    [{ upstream: 'azure' }, ({ row }) => row.upstream === 'azure'],
    [{ cost_min: '0.004' }, ({ row }) => row.costNanos !== null && Number(row.costNanos) >= 4_000_000],
    [{ until: isoAt(START + 10) }, ({ row }) => row.createdAtMs <= START + 10],
  ])('the filter %j returns only matching requests', async (query, holds) => {
    const stored = await storeMany();
    const expected = stored.filter(holds).toSorted(byTime);
    expect(expected.length).toBeGreaterThan(0);
    expect((await pages(query)).map(({ id }) => id)).toEqual(idsOf(expected));
  });

  test('the filters by team and tag use the current team and tags of the keys', async () => {
    const [of, other] = [requestRow(b.id, START), requestRow(a.id, START + 1)];
    await writeRows(source, [of]);
    await writeRows(source, [other], 'request_refusals');
    expect(await pages({ team_id: teamId })).toMatchObject([{ id: of.id, sampled: true, team_name: 'checkout' }]);
    expect(await pages({ tag: 'eu' })).toMatchObject([{ id: of.id }]);
    expect(await pages({ tag: 'batch' })).toMatchObject([{ id: other.id, sampled: false, team_name: null }]);
    expect(await pages({ tag: 'nobody' })).toEqual([]);
    expect(await pages({ team_id: teamId, key_id: a.id })).toEqual([]);
  });

  test.each<[string, Rank]>([
    ['latency', ({ latencyMs }) => latencyMs],
    ['cost', ({ costNanos }) => Number(costNanos)],
  ])('the list can be sorted by %s across pages', async (sort, rank) => {
    const stored = await storeMany();
    const expected = stored.filter(({ row }) => sort !== 'cost' || row.costNanos !== null).toSorted(descendingBy(rank));
    expect((await pages({ sort, limit: '17' })).map(({ id }) => id)).toEqual(idsOf(expected));
  });

  test('a beginning of a request ID finds the requests whose ID begins with it', async () => {
    const [one, other] = [requestRow(a.id, START), requestRow(a.id, START + 3 * MONTH_MS)];
    await writeRows(source, [one]);
    await writeRows(source, [other], 'request_refusals');
    for (const length of [10, 13, 14, 20, 36]) {
      const found = await pages({ request_id: one.id.slice(0, length).toUpperCase() });
      expect([length, found.map(({ id }) => id)]).toEqual([length, [one.id]]);
    }
    expect((await pages({ request_id: other.id })).map(({ id }) => id)).toEqual([other.id]);
    expect((await pages({ request_id: '0' })).map(({ id }) => id)).toEqual([other.id, one.id]);
    expect(await pages({ request_id: one.id, since: isoAt(START + 1) })).toEqual([]);
  });

  test('requests that arrive later do not shift the next page', async () => {
    const stored = await storeMany();
    const first = (await read({ limit: '50' })).body;
    await writeRows(source, [requestRow(a.id, START + 2 * MONTH_MS)], 'request_refusals');
    const second = (await read({ limit: '50', cursor: first.next_cursor! })).body;
    expect([...first.requests, ...second.requests].map(({ id }) => id)).toEqual(
      idsOf(stored.toSorted(byTime)).slice(0, 100),
    );
  });

  test('CSV has all matching requests with their IDs and names', async () => {
    const row = requestRow(b.id, START, { ...ERRORS[2], errorMessage: '=too,many', costNanos: '2500000' });
    await writeRows(source, [row]);
    const others = Array.from({ length: 1200 }, (_, n) => requestRow(a.id, START - n));
    await writeRows(source, others.slice(0, 600));
    await writeRows(source, others.slice(600), 'request_refusals');
    const { status, headers, text } = await read({ format: 'csv', limit: '1' });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const lines = text.split('\r\n');
    expect(lines).toHaveLength(1203);
    expect(new Set(lines.slice(1, -1).map((line) => line.slice(0, 36))).size).toBe(1201);
    const found = (await read({ format: 'csv', status: '429' })).text.split('\r\n');
    expect(found[0]).toBe(
      'request_id,created_at,status,error_code,error_message,method,endpoint,model,key_id,key_name,team_id,team_name,upstream,latency_ms,upstream_latency_ms,stream,input_tokens,output_tokens,usage_source,cost,currency,sampled',
    );
    expect(found[1]).toBe(
      `${row.id},${isoAt(START)},429,rate_limit_exceeded,"'=too,many",POST,/v1/chat/completions,gpt-4o-mini,${b.id},second key,${teamId},checkout,,12,7,false,3,4,reported,0.0025,USD,true`,
    );
    expect(found).toHaveLength(3);
  });

  test.each<[string, Query, string]>([
    ['request_id', { request_id: '0198c0de6b2c' }, 'a request ID or the beginning of one'],
    ['request_id', { request_id: '0198c0de-6b2cz' }, 'a request ID or the beginning of one'],
    ['key_id', { key_id: 'x' }, 'a UUID'],
    ['team_id', { team_id: 'x' }, 'a UUID'],
    ['tag', { tag: 'a b' }, 'a tag of 1 to 64'],
    ['status', { status: '2xx' }, "'4xx', '5xx', or 'error' for both"],
    ['status', { status: '600' }, "'4xx', '5xx', or 'error' for both"],
    ['error_code', { error_code: '' }, 'text of 1 to 200 characters'],
    ['latency_min_ms', { latency_min_ms: '1.5' }, 'an integer from 0'],
    ['cost_min', { cost_min: '1e3' }, 'a decimal number of dollars'],
    ['cost_min', { cost_min: '0' }, 'more than 0'],
    ['since', { since: '2026-02-30' }, 'an ISO 8601 timestamp'],
    ['since', { since: '2026-02-03', until: '2026-02-02' }, "a time that is not after 'until'"],
    ['sort', { sort: 'tokens' }, "'time', 'latency', 'cost'"],
    ['limit', { limit: '501' }, 'an integer from 1 to 500'],
    ['cursor', { cursor: 'x' }, 'the `next_cursor` of a page with the same `sort`'],
    ['offset', { offset: '1' }, 'offset'],
  ])('an invalid %s is rejected: %j', async (param, query, message) => {
    const response = await read(query);
    const { code, param: named, message: text } = errorIn(response);
    expect([response.status, code, named]).toEqual([400, 'validation_error', param]);
    expect(text).toContain(message);
  });

  test('a cursor of another order is rejected', async () => {
    await writeRows(source, [requestRow(a.id, START), requestRow(a.id, START + 1)]);
    const { next_cursor: cursor } = (await read({ limit: '1' })).body;
    const response = await read({ limit: '1', sort: 'latency', cursor: cursor! });
    expect([response.status, errorIn(response).param]).toEqual([400, 'cursor']);
  });
});

test('the first successful request of a new key and a rejected one are listed within a second', async () => {
  const key = await gateway.createKey({ name: 'quick start' });
  const served = await gateway.chat(key);
  const refused = await gateway.chat(key, { model: 'no-such-model' });
  expect([served.status, refused.status]).toEqual([200, 403]);
  await poll(async () => (await pages({ key_id: key.id })).map(({ id }) => id)).toEqual(
    [refused, served].map(({ headers }) => headers.get('x-request-id')),
  );
});
