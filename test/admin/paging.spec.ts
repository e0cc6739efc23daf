import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { auditRow, writeAudit, writeManyAudit } from '../support/audit-rows.js';
import { requestRow, writeMany, writeRows } from '../support/request-log-rows.js';
import { connect } from '../support/stats-database.js';
import type { Key, TestGateway } from '../support/gateway.js';
import { startSettledGateway } from '../support/settled-gateway.js';

interface Page {
  readonly total: number;
  readonly total_capped?: true;
  readonly has_more?: boolean;
  readonly logs: { readonly id: string }[];
}

interface Log {
  readonly path: (key: Key) => string;
  readonly hasMore: boolean;
  readonly write: (key: Key, atMs: number) => Promise<string>;
  readonly writeMany: (key: Key, lastMs: number, count: number) => Promise<void>;
  readonly deleteOldest: (count: number) => string;
}

let gateway: TestGateway;
/** Has no statement timeout, unlike the pool. */
let source: DataSource;
let key: Key;
beforeAll(async () => {
  gateway = await startSettledGateway({ GW_LOG_SAMPLE_RATE: '0' });
  source = await connect((gateway.app.get(DataSource).options as { url: string }).url);
});
afterAll(async () => {
  await source.destroy();
  await gateway.stop();
});
beforeEach(async () => {
  await source.query('with sampled as (delete from request_logs) delete from audit_logs');
  key = await gateway.createKey({ name: 'paged' });
  await source.query('delete from audit_logs');
});

const writeAuditRow = async ({ id: targetId }: Key, atMs: number) => {
  const row = auditRow(new Date(atMs).toISOString(), { targetId });
  await writeAudit(source, [row]);
  return row.id;
};
const oldestOf = (table: string) => (count: number) =>
  `delete from ${table} where (created_at, id) in (select created_at, id from ${table} order by created_at limit ${count})`;
const audit: Omit<Log, 'path' | 'hasMore'> = {
  write: writeAuditRow,
  writeMany: ({ id }, lastMs, count) => writeManyAudit(source, id, lastMs, count),
  deleteOldest: oldestOf('audit_logs'),
};
const LOGS: Record<string, Log> = {
  'request-logs': {
    path: () => '/admin/request-logs?',
    hasMore: true,
    write: async ({ id }, atMs) => {
      const row = requestRow(id, atMs);
      await writeRows(source, [row]);
      return row.id;
    },
    writeMany: ({ id }, lastMs, count) => writeMany(source, id, lastMs, count),
    deleteOldest: oldestOf('request_logs'),
  },
  'audit-logs': { ...audit, path: () => '/admin/audit-logs?', hasMore: false },
  'the audit log of one key': { ...audit, path: ({ id }) => `/admin/api-keys/${id}/audit?`, hasMore: true },
};

describe.each(Object.entries(LOGS))('paging of %s', (_name, log) => {
  const read = async (query: string) => (await gateway.admin<Page>('GET', log.path(key) + query)).body;

  test('paging with a fixed until misses and repeats no row while rows are added', async () => {
    const nowMs = Date.now();
    const written: string[] = [];
    for (let n = 0; n < 25; n++) written.unshift(await log.write(key, nowMs - 1000 + Math.floor(n / 3)));
    const until = new Date(nowMs - 500).toISOString();
    const seen: string[] = [];
    for (let offset = 0; seen.length < written.length; offset += 4) {
      const page = await read(`limit=4&offset=${offset}&until=${until}`);
      expect(page.total).toBe(25);
      expect(page.has_more).toBe(log.hasMore ? offset + 4 < 25 : undefined);
      seen.push(...page.logs.map(({ id }) => id));
      if (page.logs.length === 0) break;
      for (let more = 0; more < 3; more++) await log.write(key, nowMs + offset + more);
    }
    expect(seen.toSorted()).toEqual(written.toSorted());
    // Without `until`, the added rows come first.
    expect((await read('limit=1')).logs[0]!.id).not.toBe(seen[0]);
  });

  test('the total is exact up to 100,000, then capped, and the last page can be read', async () => {
    const lastMs = Date.now() - 1000;
    await log.writeMany(key, lastMs, 100_005);
    const capped = { total: 100_000, total_capped: true };
    expect(await read('limit=1')).toMatchObject({ ...capped, ...(log.hasMore && { has_more: true }) });
    const before = await read('limit=100&offset=99900');
    expect([before.total_capped, before.logs.length, before.has_more]).toEqual([
      true,
      100,
      log.hasMore ? true : undefined,
    ]);
    const last = await read('limit=100&offset=100000');
    expect(last).toMatchObject(capped);
    expect([last.logs.length, last.has_more]).toEqual([5, log.hasMore ? false : undefined]);
    const some = await read(`limit=1&since=${new Date(lastMs - 40_000).toISOString()}`);
    expect([some.total, 'total_capped' in some]).toEqual([40_001, false]);

    await source.query(log.deleteOldest(5));
    const exact = await read('limit=100&offset=99900');
    expect([exact.total, 'total_capped' in exact, exact.logs.length]).toEqual([100_000, false, 100]);
    expect(exact.has_more).toBe(log.hasMore ? false : undefined);
    const empty = await read('offset=100000');
    expect([empty.total, 'total_capped' in empty, empty.logs]).toEqual([100_000, false, []]);
  });

  test('a key without rows gets an empty page', async () => {
    if (!log.path(key).includes(key.id)) await log.write({ ...key, id: randomUUID() }, Date.now());
    const other = log.path(key).includes(key.id)
      ? ''
      : log.path(key).includes('audit')
        ? `target_id=${key.id}`
        : `key_id=${key.id}`;
    expect(await read(other)).toEqual({ total: 0, ...(log.hasMore && { has_more: false }), logs: [] });
  });
});
