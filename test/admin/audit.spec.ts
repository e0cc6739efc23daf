import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { auditQueryOf } from '../../src/admin/audit/audit-logs.dto.js';
import { AUDIT_ACTIONS } from '../../src/audit/audit-action.data.js';
import { auditRow, writeAudit, type WrittenAudit } from '../support/audit-rows.js';
import { ADMIN_KEY, UPSTREAM_KEY, type TestGateway } from '../support/gateway.js';
import { errorCodeIn } from '../support/responses.js';
import { startSettledGateway } from '../support/settled-gateway.js';

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly actor_type: string;
  readonly target_type: string;
  readonly target_id: string | null;
  readonly metadata: Record<string, unknown>;
  readonly created_at: string;
}
interface Page {
  readonly total: number;
  readonly has_more?: boolean;
  readonly logs: Entry[];
}

const LOGS = '/admin/audit-logs';
const ofKey = (id: string) => `/admin/api-keys/${id}/audit`;

let gateway: TestGateway;
let source: DataSource;
beforeAll(async () => {
  gateway = await startSettledGateway();
  source = gateway.app.get(DataSource);
});
afterAll(() => gateway.stop());
beforeEach(() => source.query('delete from audit_logs'));

const list = async (path: string, query: Record<string, unknown> = {}) =>
  (await gateway.admin<Page>('GET', `${path}?${new URLSearchParams(query as Record<string, string>).toString()}`)).body;
const idsIn = ({ logs }: Page) => logs.map(({ id }) => id);

describe('audit entry', () => {
  test('an entry names the actor, the target, the address and the changed fields', async () => {
    const { id } = await gateway.createKey({ name: 'told' });
    const changed = await gateway.admin('PATCH', `/admin/api-keys/${id}`, { rpm_limit: 777 });
    const { total, has_more, logs } = await list(ofKey(id));
    expect([total, has_more, logs.map(({ action }) => action)]).toEqual([
      2,
      false,
      ['api_key.updated', 'api_key.created'],
    ]);
    expect(logs[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      action: 'api_key.updated',
      actor_type: 'admin_key',
      target_type: 'api_key',
      target_id: id,
      metadata: {
        changes: { rpm_limit: { old: 1_000_000, new: 777 } },
        actor_id: null,
        request_id: changed.headers.get('x-request-id'),
        ip: '127.0.0.1',
      },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Object.keys(logs[0]!).join()).toBe('id,action,actor_type,target_type,target_id,metadata,created_at');
    expect(await list(LOGS, { target_id: id })).toEqual({ total: 2, logs });
  });

  test('no entry contains a secret or its hash, in the response or in the database', async () => {
    const { id, key } = await gateway.createKey({ name: 'sk-secret-looking-name' });
    const rotated = await gateway.admin<{ key: string }>('POST', `/admin/api-keys/${id}/rotate`);
    await gateway.admin('PATCH', `/admin/api-keys/${id}`, { name: 'renamed', allowed_models: ['gpt-4o'] });
    for (const change of ['suspend', 'unsuspend', 'revoke'])
      await gateway.admin('POST', `/admin/api-keys/${id}/${change}`);
    await gateway.admin('POST', '/admin/model-allowlist', { model: 'gpt-4o', enabled: false, note: 'why' });
    await gateway.admin('DELETE', '/admin/model-allowlist/gpt-4o');
    await gateway.admin('POST', '/admin/cache/purge');
    const page = await list(LOGS, { limit: 500 });
    expect(page.total).toBe(9);
    const stored = JSON.stringify(await source.query('select * from audit_logs'));
    for (const secret of [key, rotated.body.key, ADMIN_KEY, UPSTREAM_KEY])
      for (const form of [
        secret,
        createHash('sha256').update(secret).digest('hex'),
        createHash('sha256').update(secret).digest('base64'),
      ])
        expect([JSON.stringify(page), stored].some((text) => text.includes(form))).toBe(false);
  });

  test('an entry without a target has a null target_id', async () => {
    await writeAudit(source, [
      auditRow('2026-01-01T00:00:00Z', { action: 'admin.login_failed', actorType: 'system', targetType: 'operator' }),
    ]);
    expect((await list(LOGS)).logs).toMatchObject([{ target_type: 'operator', target_id: null, actor_type: 'system' }]);
  });
});

describe('GET /admin/audit-logs', () => {
  const TARGETS = [randomUUID(), 'vendor/model', null];
  const ACTORS = ['admin_key', 'operator', 'system'] as const;
  let rows: WrittenAudit[];

  beforeEach(async () => {
    // The rows straddle the end of a year, and many of them share a millisecond.
    rows = Array.from({ length: 180 }, (_, n) =>
      auditRow(
        `${n % 2 === 0 ? '2025-12-31T23:59:59' : '2026-01-01T00:00:00'}.99${n % 10}${String((n * 37) % 1000).padStart(3, '0')}Z`,
        {
          action: AUDIT_ACTIONS[n % 4]!,
          actorType: ACTORS[n % 3]!,
          targetId: TARGETS[(n >> 1) % 3] ?? null,
        },
      ),
    );
    await writeAudit(source, rows);
  });

  /** Compares timestamps as text, because a `Date` would lose their microseconds. */
  const newestFirst = (x: WrittenAudit, y: WrittenAudit) =>
    x.createdAt === y.createdAt ? (x.id < y.id ? 1 : -1) : x.createdAt < y.createdAt ? 1 : -1;

  test('every combination of filters returns exactly the matching rows, newest first', async () => {
    const filters: [Record<string, string>, (row: WrittenAudit) => boolean][] = [
      [{ target_id: TARGETS[0]! }, (row) => row.targetId === TARGETS[0]],
      [{ action: AUDIT_ACTIONS[1]! }, (row) => row.action === AUDIT_ACTIONS[1]],
      [{ actor_type: 'operator' }, (row) => row.actorType === 'operator'],
      [{ since: '2025-12-31T23:59:59.993Z' }, (row) => row.createdAt >= '2025-12-31T23:59:59.993'],
      // `until` includes the whole millisecond, because rows are stored in microseconds and shown in milliseconds.
      [{ until: '2026-01-01T00:00:00.995Z' }, (row) => row.createdAt < '2026-01-01T00:00:00.996'],
    ];
    let found = 0;
    for (let mask = 0; mask < 2 ** filters.length; mask++) {
      const chosen = filters.filter((_, n) => (mask >> n) % 2 === 1);
      const query = Object.assign({}, ...chosen.map(([parameter]) => parameter)) as Record<string, string>;
      const expected = rows.filter((row) => chosen.every(([, holds]) => holds(row))).sort(newestFirst);
      const page = await list(LOGS, { ...query, limit: 500 });
      expect([query, page.total, idsIn(page)]).toEqual([query, expected.length, expected.map(({ id }) => id)]);
      if (expected.length > 0) found += 1;
    }
    expect(found).toBeGreaterThan(24);
  });

  test('a row is found by the timestamp that the API returns for it', async () => {
    const { logs } = await list(LOGS, { limit: 500 });
    for (const { id, created_at } of logs.slice(0, 20))
      expect(idsIn(await list(LOGS, { since: created_at, until: created_at, limit: 500 }))).toContain(id);
  });

  test('target_id matches a UUID regardless of case, but a model only exactly', async () => {
    expect((await list(LOGS, { target_id: TARGETS[0]!.toUpperCase() })).total).toBe(60);
    expect((await list(LOGS, { target_id: 'vendor/model' })).total).toBe(60);
    for (const other of ['Vendor/model', 'vendor', '%', "' or true --", randomUUID()])
      expect(await list(LOGS, { target_id: other })).toEqual({ total: 0, logs: [] });
  });

  test('request_id finds the entry of the change with this response', async () => {
    const { id } = await gateway.createKey();
    const changed = await gateway.admin('PATCH', `/admin/api-keys/${id}`, { rpm_limit: 778 });
    const requestId = changed.headers.get('x-request-id');
    const found = await list(LOGS, { request_id: requestId });
    expect(found.logs.map(({ action, target_id }) => [action, target_id])).toEqual([['api_key.updated', id]]);
    expect((await list(LOGS, { request_id: randomUUID() })).logs).toEqual([]);
  });

  test('request_id searches the last hour, unless since is set', () => {
    const page = { limit: 10, offset: 0 };
    const [before, { sinceMs }, after] = [Date.now(), auditQueryOf({ ...page, request_id: 'x' }), Date.now()];
    expect(sinceMs).toBeGreaterThanOrEqual(before - 3_600_000);
    expect(sinceMs).toBeLessThanOrEqual(after - 3_600_000);
    expect(auditQueryOf({ ...page, request_id: 'x', since: 1 }).sinceMs).toBe(1);
    expect(auditQueryOf(page).sinceMs).toBeNull();
  });

  test('accepts every audit action and the earliest and latest dates', async () => {
    for (const action of AUDIT_ACTIONS)
      expect((await list(LOGS, { action })).total).toBe(rows.filter((row) => row.action === action).length);
    expect((await list(LOGS, { since: '0001-01-01', until: '9999-12-31T23:59:59.999Z' })).total).toBe(180);
  });

  test('returns 100 rows by default, without has_more, and does not audit the read', async () => {
    const page = await list(LOGS);
    expect([page.logs.length, 'has_more' in page]).toEqual([100, false]);
    expect((await list(LOGS)).total).toBe(180);
  });
});

describe('GET /admin/api-keys/{id}/audit', () => {
  test('pages through the entries of one key, filters by time and returns has_more', async () => {
    const { id } = await gateway.createKey();
    await source.query('delete from audit_logs');
    const rows = [1, 2, 3, 4, 5].map((n) => auditRow(`2026-02-28T23:59:59.99${n}Z`, { targetId: id }));
    await writeAudit(source, [...rows, auditRow('2026-02-28T23:59:59.999Z', { targetId: randomUUID() })]);
    const newest = rows.map((row) => row.id).reverse();
    const read = (query: Record<string, unknown>) => list(ofKey(id), query);
    for (const [offset, shown, more] of [
      [0, 2, true],
      [2, 2, true],
      [4, 1, false],
      [5, 0, false],
    ] as const) {
      const page = await read({ limit: 2, offset });
      expect([page.total, page.has_more, idsIn(page)]).toEqual([5, more, newest.slice(offset, offset + shown)]);
    }
    expect(idsIn(await read({ since: '2026-02-28T23:59:59.993Z', until: '2026-02-28T23:59:59.994Z' }))).toEqual(
      newest.slice(1, 3),
    );
    expect(await read({ since: '2026-03-01' })).toEqual({ total: 0, has_more: false, logs: [] });
    expect(idsIn(await list(ofKey(id.toUpperCase())))).toEqual(newest);
  });

  test('a revoked key keeps its entries, and an unknown key returns 404 after query validation', async () => {
    const { id } = await gateway.createKey();
    await gateway.admin('POST', `/admin/api-keys/${id}/revoke`);
    expect((await list(ofKey(id))).total).toBe(2);
    for (const unknown of [randomUUID(), 'x', '%00'])
      expect(errorCodeIn(await gateway.admin('GET', ofKey(unknown)))).toBe('404 not_found');
    expect(errorCodeIn(await gateway.admin('GET', `${ofKey(randomUUID())}?limit=0`))).toBe(
      '400 validation_error limit',
    );
  });
});

describe('invalid audit query', () => {
  const BOTH: [string, string][] = [
    ...['soon', '', '2026-02-30', '1893456000'].map((time): [string, string] => [`since=${time}`, 'since']),
    ...['x', '5-5', '10000-01-01'].map((time): [string, string] => [`until=${time}`, 'until']),
    ['since=2026-02-02&until=2026-02-01', 'since'],
    ['since=2026-02-02T00:00:00.001Z&until=2026-02-02', 'since'],
    ...['0', '501', '-1', 'x', '', '1.5'].map((limit): [string, string] => [`limit=${limit}`, 'limit']),
    ...['-1', '100001', 'x', ''].map((offset): [string, string] => [`offset=${offset}`, 'offset']),
    ['colour=red', 'colour'],
    ['limit=1&limit=2', 'limit'],
  ];

  test.each([
    ...BOTH,
    ...['', '%00', 'x'.repeat(401)].map((id) => [`target_id=${id}`, 'target_id']),
    ...['', 'api_key', 'API_KEY.CREATED', 'api_key.deleted'].map((action) => [`action=${action}`, 'action']),
    ...['', 'admin', 'SYSTEM'].map((actor) => [`actor_type=${actor}`, 'actor_type']),
    ['key_id=x', 'key_id'],
  ] as [string, string][])('GET /admin/audit-logs rejects %s and names the parameter', async (query, param) => {
    expect(errorCodeIn(await gateway.admin('GET', `${LOGS}?${query}`))).toBe(`400 validation_error ${param}`);
  });

  test('the audit log of one key rejects invalid parameters and names them', async () => {
    const { id } = await gateway.createKey();
    const others: [string, string][] = ['target_id', 'action', 'actor_type'].map((name) => [`${name}=system`, name]);
    for (const [query, param] of [...BOTH, ...others])
      expect([query, errorCodeIn(await gateway.admin('GET', `${ofKey(id)}?${query}`))]).toEqual([
        query,
        `400 validation_error ${param}`,
      ]);
  });

  test('both audit routes require the admin key', async () => {
    for (const path of [LOGS, ofKey(randomUUID())])
      expect(errorCodeIn(await gateway.call('GET', path))).toBe('401 missing_api_key');
  });
});
