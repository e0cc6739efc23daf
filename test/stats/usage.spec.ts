import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { type CostEntry, UsageLedger } from '../../src/stats/usage-ledger.js';
import { UsageStore } from '../../src/stats/stores/usage.store.js';
import { connect, requestOf, StatsDatabase, StatsProcess } from '../support/stats-database.js';
import { until } from '../support/until.js';

let database: StatsDatabase;
beforeAll(async () => {
  database = await StatsDatabase.create();
});
afterAll(() => database.close());

const monthly = (keyId: string) =>
  database.source.query<{ month: number; requests: string; i: string; o: string }[]>(
    'select month, requests, input_tokens i, output_tokens o from usage_monthly where key_id = $1 order by month',
    [keyId],
  );
type DailyRow = Record<'day' | 'model' | 'n' | 'e' | 'i' | 'o' | 'x', string>;
const daily = (keyId: string) =>
  database.source.query<DailyRow[]>(
    `select day::text, model, requests n, errors e, input_tokens i, output_tokens o, estimated_tokens x
       from usage_daily where key_id = $1 order by day, model`,
    [keyId],
  );

describe('usage sums', () => {
  test('usage of admitted requests is summed by key, UTC day and model, and by month', async () => {
    const key = await database.newKey();
    const { recorder, writer } = new StatsProcess(database.source);
    const lastOfJuly = Date.UTC(2026, 6, 31, 23, 59, 59, 999);
    recorder.record(requestOf(key, { atMs: lastOfJuly }), 200, 5);
    recorder.record(
      requestOf(key, { atMs: lastOfJuly, usage: { inputTokens: 10, outputTokens: 20, provenance: 'estimated' } }),
      200,
      5,
    );
    recorder.record(requestOf(key, { atMs: lastOfJuly + 1, usage: null }), 502, 5);
    recorder.record(
      requestOf(key, {
        atMs: lastOfJuly + 1,
        model: null,
        usage: { inputTokens: 0, outputTokens: 0, provenance: 'reported' },
      }),
      200,
      5,
    );
    recorder.record(requestOf(key, { admitted: false }), 429, 5);
    recorder.record(requestOf(null), 401, 5);
    await writer.flush();
    expect(await monthly(key.id)).toEqual([
      { month: 2026 * 12 + 6, requests: '2', i: '13', o: '24' },
      { month: 2026 * 12 + 7, requests: '2', i: '0', o: '0' },
    ]);
    expect(await daily(key.id)).toEqual([
      { day: '2026-07-31', model: 'gpt-4o', n: '2', e: '0', i: '13', o: '24', x: '30' },
      { day: '2026-08-01', model: '', n: '1', e: '0', i: '0', o: '0', x: '0' },
      { day: '2026-08-01', model: 'gpt-4o', n: '1', e: '1', i: '0', o: '0', x: '0' },
    ]);
  });

  test('sums are exact when several processes write the same keys concurrently', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => database.newKey()));
    const processes = Array.from({ length: 4 }, () => new StatsProcess(database.source));
    for (let round = 0; round < 25; round++) {
      await Promise.all(
        processes.map(({ recorder, writer }, p) => {
          const order = p % 2 === 0 ? keys : keys.toReversed();
          for (const key of order) for (const model of ['a', 'b']) recorder.record(requestOf(key, { model }), 200, 1);
          return writer.flush();
        }),
      );
    }
    for (const key of keys) {
      expect(await monthly(key.id)).toEqual([expect.objectContaining({ requests: '200', i: '600', o: '800' })]);
      expect((await daily(key.id)).map((row) => `${row.model} ${row.n}`)).toEqual(['a 100', 'b 100']);
    }
  });

  test('usage of a model whose name the database cannot store is still written, and does not block other usage', async () => {
    const key = await database.newKey();
    const { recorder, writer } = new StatsProcess(database.source, 1);
    for (const model of ['nul\0', 'half \ud800', 'half \udc00', 'x'.repeat(201), 'fine'])
      recorder.record(requestOf(key, { model }), 200, 1);
    await writer.flush();
    expect((await daily(key.id)).map((row) => `${row.model} ${row.n}`).toSorted()).toEqual([
      ' 1',
      'fine 1',
      'half \ufffd 2',
      'nul\ufffd 1',
    ]);
    expect(await database.source.query('select count(*)::int n from request_logs where key_id = $1', [key.id])).toEqual(
      [{ n: 5 }],
    );
  });
});

describe('a usage batch', () => {
  const rowsOf = (keyId: string) => {
    const ledger = new UsageLedger(10);
    ledger.add(keyId, Date.now(), 'm', { failed: false, inputTokens: 5, outputTokens: 6, estimatedTokens: 0 });
    return ledger.take(10);
  };

  test('absurd costs stop at the maximum of the database, and do not block other usage', async () => {
    const [absurd, other] = [await database.newKey(), await database.newKey()];
    const ledger = new UsageLedger(10);
    const cost = (nanos: bigint): CostEntry => ({
      endpoint: '/v1/chat/completions',
      provider: 'default',
      estimated: false,
      additionalTokens: 0,
      unpriced: null,
      priced: {
        kinds: { units: {}, reasoning: 0, inputTokens: 0 },
        nanos,
        unpriced: false,
        cost: null,
        price: null,
      } as unknown as CostEntry['priced'],
    });
    const store = new UsageStore(database.source);
    for (const nanos of [2n ** 63n - 10n, 100n, 2n ** 64n]) {
      for (const [{ id }, entry] of [
        [absurd, cost(nanos)],
        [other, cost(1n)],
      ] as const)
        ledger.add(id, Date.now(), 'm', {
          failed: false,
          inputTokens: 5,
          outputTokens: 6,
          estimatedTokens: 0,
          cost: entry,
        });
      await store.write(ledger.take(10));
    }
    const sums = await database.source.query<{ key_id: string; nanos: string }[]>(
      'select key_id, cost_nanos nanos from cost_daily where key_id = any($1)',
      [[absurd.id, other.id]],
    );
    expect(Object.fromEntries(sums.map(({ key_id, nanos }) => [key_id, nanos]))).toEqual({
      [absurd.id]: String(2n ** 63n - 1n),
      [other.id]: '3',
    });
  });

  /** Returns a data source that loses its connection after the commit of a statement, before the result arrives. */
  const losingAnswers = (source: DataSource, losses: number): DataSource => {
    let left = losses;
    const query = async (sql: string, parameters?: unknown[]) => {
      const response: unknown = await source.query(sql, parameters);
      if (sql.includes('by_month') && left-- > 0) throw new Error('Connection terminated unexpectedly');
      return response;
    };
    return Object.create(source, { query: { value: query } }) as DataSource;
  };

  test('retrying a batch whose result was lost after the commit does not count it twice', async () => {
    const key = await database.newKey();
    const store = new UsageStore(losingAnswers(database.source, 2));
    const rows = rowsOf(key.id);
    await expect(store.write(rows)).rejects.toThrow('terminated');
    await expect(store.write(rows)).rejects.toThrow('terminated');
    await store.write(rows);
    await store.write(rowsOf(key.id));
    expect(await monthly(key.id)).toEqual([expect.objectContaining({ requests: '2', i: '10', o: '12' })]);
  });

  test('retrying a batch while its first, disconnected statement waits to commit does not count it twice', async () => {
    const key = await database.newKey();
    const blocker = new Client({ connectionString: database.url });
    await blocker.connect();
    const waiting = async (): Promise<number> => {
      const [row] = await database.source.query<{ n: number }[]>(
        `select count(*)::int n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.n ?? 0;
    };
    const orphans: Promise<unknown>[] = [];
    let leaving = false;
    const query = async (sql: string, parameters?: unknown[]): Promise<unknown> => {
      const response = database.source.query(sql, parameters);
      if (!leaving || !sql.includes('by_month')) return response;
      leaving = false;
      orphans.push(response);
      await until(async () => (await waiting()) === 1);
      throw new Error('Connection terminated unexpectedly');
    };
    const store = new UsageStore(Object.create(database.source, { query: { value: query } }) as DataSource);
    await store.write(rowsOf(key.id));
    // The month's row is locked, so the statement of the batch waits while it holds the lock on the writer's row.
    await blocker.query('begin');
    await blocker.query('select from usage_monthly where key_id = $1 for update', [key.id]);
    const rows = rowsOf(key.id);
    leaving = true;
    await expect(store.write(rows)).rejects.toThrow('terminated');
    const repeated = store.write(rows);
    await until(async () => (await waiting()) === 2);
    await blocker.query('commit');
    await Promise.all([repeated, ...orphans]);
    expect(await monthly(key.id)).toEqual([expect.objectContaining({ requests: '2', i: '10', o: '12' })]);
    await blocker.end();
  });

  test('a batch is written under a new writer row if the old one was deleted', async () => {
    const key = await database.newKey();
    const store = new UsageStore(database.source);
    await store.write(rowsOf(key.id));
    // The row is deleted after a week without use, so a row that is missing within seconds was lost in a failover.
    const later = performance.now() + 10_001;
    const now = jest.spyOn(performance, 'now').mockReturnValue(later);
    await database.source.query('delete from quota_writer');
    await store.write(rowsOf(key.id));
    now.mockRestore();
    await store.write(rowsOf(key.id));
    expect(await monthly(key.id)).toEqual([expect.objectContaining({ requests: '3' })]);
  });
});

describe('usage that a failover has lost', () => {
  const oneRow = (keyId: string, inputTokens: number) => {
    const ledger = new UsageLedger(10);
    ledger.add(keyId, Date.UTC(2026, 6, 1), 'gpt-4o', {
      inputTokens,
      outputTokens: 0,
      estimatedTokens: 0,
      failed: false,
    });
    return ledger.take(10);
  };
  /** Returns the usage and the row of the writer to their state before `work`, as a failover does. */
  async function losing(keyId: string, work: () => Promise<void>): Promise<void> {
    const tables = ['usage_monthly', 'usage_daily'];
    const writers = await database.source.query<{ id: string; batch: string }[]>(
      'select writer_id as id, batch from quota_writer',
    );
    const before = await Promise.all(
      tables.map((table) =>
        database.source.query<{ row: string }[]>(
          `select row_to_json(t)::text as row from ${table} t where key_id = $1`,
          [keyId],
        ),
      ),
    );
    await work();
    for (const [at, table] of tables.entries()) {
      await database.source.query(`delete from ${table} where key_id = $1`, [keyId]);
      for (const { row } of before[at]!)
        await database.source.query(
          `insert into ${table} select * from json_populate_record(null::${table}, $1::json)`,
          [row],
        );
    }
    await database.source.query('delete from quota_writer where writer_id <> all ($1)', [writers.map(({ id }) => id)]);
    for (const { id, batch } of writers)
      await database.source.query('update quota_writer set batch = $2 where writer_id = $1', [id, batch]);
  }
  const tokens = async (keyId: string) => (await monthly(keyId)).map(({ i }) => Number(i));

  test('is added again exactly once, before later usage', async () => {
    const key = (await database.newKey()).id;
    const store = new UsageStore(database.source);
    await store.write(oneRow(key, 1));
    await losing(key, async () => {
      for (const count of [10, 100]) await store.write(oneRow(key, count));
    });
    expect(await tokens(key)).toEqual([1]);
    await store.write(oneRow(key, 1000));
    expect(await tokens(key)).toEqual([1111]);
    await losing(key, () => store.write(oneRow(key, 10_000)));
    await store.write(oneRow(key, 100_000));
    expect(await tokens(key)).toEqual([111_111]);
  });

  test('is added again without later usage, after a lost connection', async () => {
    const key = (await database.newKey()).id;
    const store = new UsageStore(database.source);
    await losing(key, () => store.write(oneRow(key, 7)));
    expect([store.isInDoubt, await tokens(key)]).toEqual([false, []]);
    store.doubt();
    expect(store.isInDoubt).toBe(true);
    await store.write([]);
    expect([store.isInDoubt, await tokens(key)]).toEqual([false, [7]]);
  });

  test('is added exactly once if the result of the repeated batch is lost', async () => {
    const key = (await database.newKey()).id;
    let losesResults = false;
    const query = async (sql: string, parameters?: unknown[]) => {
      const result: unknown = await database.source.query(sql, parameters);
      if (losesResults) throw new Error('Connection terminated');
      return result;
    };
    const store = new UsageStore(Object.create(database.source, { query: { value: query } }) as DataSource);
    await store.write(oneRow(key, 1));
    await losing(key, async () => {
      for (const count of [10, 100]) await store.write(oneRow(key, count));
    });
    store.doubt();
    losesResults = true;
    await expect(store.write([])).rejects.toThrow('Connection terminated');
    losesResults = false;
    await expect(store.write([])).resolves.toBeUndefined();
    losesResults = true;
    await expect(store.write(oneRow(key, 1000))).rejects.toThrow('Connection terminated');
    losesResults = false;
    await store.write(oneRow(key, 1000));
    expect(await tokens(key)).toEqual([1111]);
  });
});

describe('usage during a database outage', () => {
  test('every request is counted once, even if connections are killed at random', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
    const key = await database.newKey();
    const source = await connect(database.url);
    const { recorder, writer } = new StatsProcess(source);
    for (let round = 0; round < 30; round++) {
      for (let i = 0; i < 10; i++) recorder.record(requestOf(key), 200, 1);
      const flushed = writer.flush();
      await database.source.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await flushed;
    }
    await until(async () => {
      await writer.flush();
      return (await monthly(key.id))[0]?.requests === '300';
    });
    await writer.flush();
    expect(await monthly(key.id)).toEqual([expect.objectContaining({ requests: '300', i: '900', o: '1200' })]);
    await source.destroy();
  });

  test('pending usage is bounded: at the limit, new keys are rejected and known keys are still counted', () => {
    const ledger = new UsageLedger(3);
    const usage = { inputTokens: 1, outputTokens: 1, estimatedTokens: 0 };
    for (let i = 0; i < 100; i++) ledger.add('a', 0, 'm', { ...usage, failed: false });
    expect(ledger.size).toBe(1);
    ledger.add('b', 0, 'm', { ...usage, failed: false });
    expect(ledger.takes('c')).toBe(true);
    ledger.add('b', 0, 'n', { ...usage, failed: false });
    expect([ledger.takes('a'), ledger.takes('b'), ledger.takes('c')]).toEqual([true, true, false]);
    for (let i = 0; i < 100; i++) ledger.add('a', 0, `model ${i}`, { ...usage, failed: false });
    expect(ledger.size).toBe(4);
    expect(ledger.sums()).toEqual({ requests: 202, inputTokens: 202, outputTokens: 202 });
    expect(ledger.take(100).map((row) => `${row.keyId} ${row.model} ${row.requests}`)).toEqual([
      'a m 100',
      'a  100',
      'b m 1',
      'b n 1',
    ]);
    expect([ledger.size, ledger.takes('c')]).toEqual([0, true]);
  });
});
