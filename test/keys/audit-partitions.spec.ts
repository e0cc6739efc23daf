import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { SchedulerRegistry } from '@nestjs/schedule';
import { AuditLog, AuditPartitions } from '../../src/audit/audit-log.js';
import { ensureMonthPartitions } from '../../src/platform/database/month-partitions.js';
import { ACTOR, KeysDatabase } from './keys-database.js';
import { READY_DATABASE } from '../support/ready-database.js';
import { DatabaseClock } from '../support/database-clock.js';

let db: KeysDatabase;
let fromMigration: string[];
beforeAll(async () => {
  db = await KeysDatabase.create();
  fromMigration = await partitions();
});
afterAll(() => db.close());

const partitions = async (): Promise<string[]> =>
  (
    await db.source.query<{ name: string }[]>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_logs'::regclass order by 1`,
    )
  ).map(({ name }) => name);

describe('audit partitions', () => {
  test('the migration creates partitions for the current month and the next two', async () => {
    expect(fromMigration).toHaveLength(3);
    expect(fromMigration[0]).toBe(`audit_logs_${new Date().toISOString().slice(0, 7).replace('-', '_')}`);
  });

  test('concurrent processes create each partition once, even across the turn of the year', async () => {
    const query = (sql: string) => db.source.query(sql);
    const before = await partitions();
    const from = new Date('2030-11-30T23:59:59.999Z');
    await Promise.all(Array.from({ length: 5 }, () => ensureMonthPartitions(query, 'audit_logs', from, 3)));
    const made = (await partitions()).filter((name) => !before.includes(name));
    expect(made).toEqual(['audit_logs_2030_11', 'audit_logs_2030_12', 'audit_logs_2031_01']);
    for (const at of ['2030-11-01T00:00:00Z', '2030-12-31T23:59:59.999999Z', '2031-01-31T23:59:59.999Z']) {
      await db.source.query(
        `insert into audit_logs (created_at, action, actor_type, target_type, metadata) values ($1, 'a', 'system', 't', '{}')`,
        [at],
      );
    }
  });

  test('a partition has the indexes of the table', async () => {
    const { length } = await db.source.query<object[]>(
      `select 1 from pg_indexes where tablename = 'audit_logs_' || to_char(now(), 'YYYY_MM')`,
    );
    expect(length).toBe(4);
  });

  test('partitions are created at startup, by the clock of the database', async () => {
    const before = await partitions();
    const clock = await DatabaseClock.under(db.source);
    await clock.put(Date.UTC(2031, 10, 30, 23, 59, 59, 999));
    jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2040, 0));
    const service = new AuditPartitions(db.transactions, READY_DATABASE, new SchedulerRegistry());
    await service.onApplicationBootstrap();
    await service.onModuleDestroy();
    jest.restoreAllMocks();
    await clock.put(null);
    const made = (await partitions()).filter((name) => !before.includes(name));
    expect(made).toEqual(['audit_logs_2031_11', 'audit_logs_2031_12', 'audit_logs_2032_01']);
  });
});

test('an audit row is committed or rolled back together with its change', async () => {
  const audit = new AuditLog();
  const entry = { action: 'cache.purged', actor: ACTOR, targetType: 'cache', targetId: 'the-cache' } as const;
  const fail = db.transactions.run(async (transaction) => {
    await audit.write(transaction, entry);
    throw new Error('no');
  });
  await expect(fail).rejects.toThrow('no');
  expect(await db.auditRows('the-cache')).toHaveLength(0);
  await db.transactions.run((transaction) => audit.write(transaction, entry));
  expect(await db.auditRows('the-cache')).toMatchObject([
    { metadata: { actor_id: null, request_id: 'request-1', ip: '192.0.2.7' } },
  ]);
});
