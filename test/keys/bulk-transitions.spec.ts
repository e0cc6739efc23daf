import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { AuditLog } from '../../src/audit/audit-log.js';
import { Outbox } from '../../src/audit/events/outbox.js';
import { BulkTransitions } from '../../src/keys/bulk-transitions.service.js';
import { hashKey } from '../../src/keys/key-format.js';
import type { StatusTransition } from '../../src/keys/key-state.rules.js';
import { KeyChangeRecorder } from '../../src/keys/key-change-recorder.js';
import { until } from '../support/until.js';
import { ACTOR, KeysDatabase } from './keys-database.js';

let db: KeysDatabase;
beforeAll(async () => {
  db = await KeysDatabase.create();
});
afterAll(async () => {
  jest.restoreAllMocks();
  await db.close();
});

const create = async () => (await db.keys.create({ name: 'one of many' }, ACTOR)).key.id;

/** Inserts the keys directly, which is faster than one call per key. */
async function createMany(count: number): Promise<string[]> {
  const rows = await db.source.query<{ id: string }[]>(
    `insert into api_keys (name, key_hash, key_hint)
     select 'k' || i, sha256(gen_random_uuid()::text::bytea), 'sk-gw-…abcd' from generate_series(1, $1) i returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

const statusesOf = async (ids: readonly string[]): Promise<string[]> => {
  const rows = await db.source.query<{ status: string }[]>(
    'select distinct status from api_keys where id = any($1::uuid[]) order by 1',
    [ids],
  );
  return rows.map(({ status }) => status);
};

async function change(transition: StatusTransition, ids: readonly string[], bulk = db.bulk) {
  const { succeeded, failed } = await bulk.change(transition, ids, ACTOR);
  return { succeeded: succeeded.map(({ id }) => id), failed: failed.map(({ id, error }) => [id, error.code]) };
}

async function waitingForKeys(): Promise<number> {
  const [row] = await db.source.query<{ count: number }[]>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%api_keys%'`,
  );
  return row!.count;
}

/** Runs `onWritten` at the end of each transaction, after its audit rows and events. */
class RecorderWith extends KeyChangeRecorder {
  written = 0;
  constructor(private readonly onWritten: (written: number) => Promise<void>) {
    super(new AuditLog(), new Outbox());
  }
  override async record(...args: Parameters<KeyChangeRecorder['record']>): Promise<void> {
    await super.record(...args);
    await this.onWritten((this.written += args.length - 1));
  }
}
const bulkWith = (onWritten: (written: number) => Promise<void>) =>
  new BulkTransitions(db.store, db.transactions, new RecorderWith(onWritten), db.cache);

describe('BulkTransitions', () => {
  test('each key gets the result of a single change, in the order of the request', async () => {
    const [a, b, revoked, unknown] = [await create(), await create(), await create(), randomUUID()];
    await db.keys.change('revoke', revoked, ACTOR);
    for (const ids of [
      [b, unknown, a, revoked],
      [unknown, revoked, a, b],
    ]) {
      const good = ids.filter((id) => id === a || id === b);
      const bad = ids.filter((id) => id === unknown || id === revoked).map((id) => [id, 'not_found']);
      expect(await change('suspend', ids)).toEqual({ succeeded: good, failed: bad });
      expect(await change('suspend', good)).toEqual({ succeeded: [], failed: good.map((id) => [id, 'not_found']) });
      expect(await change('unsuspend', ids)).toEqual({ succeeded: good, failed: bad });
    }
    const outcome = await db.bulk.change('revoke', [a, b], ACTOR);
    for (const key of outcome.succeeded) {
      const { status, updatedAt, revokedAt } = await db.keys.get(key.id);
      expect([key.status, key.updatedAt, key.revokedAt]).toEqual([status, updatedAt, revokedAt]);
      expect([status, revokedAt]).toEqual(['revoked', updatedAt]);
    }
  });

  test('a rejected key gets the same error as in a single change', async () => {
    const id = await create();
    await db.keys.change('revoke', id, ACTOR);
    for (const transition of ['suspend', 'unsuspend', 'revoke'] as const) {
      const { failed } = await db.bulk.change(transition, [id], ACTOR);
      const single = await db.keys.change(transition, id, ACTOR).catch((error: unknown) => error);
      expect(failed.map(({ error }) => error)).toEqual([single]);
    }
  });

  test('a key that is listed twice is changed once, regardless of case, and reported as first written', async () => {
    const [id, unknown] = [await create(), randomUUID()];
    const ids = [unknown.toUpperCase(), id.toUpperCase(), unknown, id, id];
    expect(await change('suspend', ids)).toEqual({ succeeded: [id], failed: [[unknown.toUpperCase(), 'not_found']] });
    expect(await db.auditRows(id)).toHaveLength(2);
  });

  test('each key gets an audit row and an event, as in a single change', async () => {
    const [one, other] = [await create(), await create()];
    await db.bulk.change('suspend', [one], ACTOR);
    await db.keys.change('suspend', other, ACTOR);
    const [row, asSingle] = [(await db.auditRows(one)).at(-1)!, (await db.auditRows(other)).at(-1)!];
    expect([row.action, row.actor_type, row.metadata]).toEqual([
      'api_key.suspended',
      asSingle.actor_type,
      asSingle.metadata,
    ]);
    expect((await db.events(one)).map(({ type, data }) => [type, { ...data, key_id: other }])).toEqual(
      (await db.events(other)).map(({ type, data }) => [type, data]),
    );
    expect(await db.events(one)).toHaveLength(2);
  });

  test('a bulk change removes the keys from the cache of the process', async () => {
    const { key, rawKey } = await db.keys.create({ name: 'held' }, ACTOR);
    await db.cache.load(hashKey(rawKey));
    await db.bulk.change('suspend', [key.id], ACTOR);
    expect(db.cache.find(hashKey(rawKey))).toBeUndefined();
  });

  test('500 keys are changed in ten transactions', async () => {
    const ids = await createMany(500);
    const transactions = jest.spyOn(db.transactions, 'run');
    expect((await change('suspend', ids)).succeeded).toEqual(ids);
    expect(transactions).toHaveBeenCalledTimes(10);
    transactions.mockRestore();
    expect(await statusesOf(ids)).toEqual(['suspended']);
    const [{ rows, events }] = await db.source.query<[{ rows: number; events: number }]>(
      `select (select count(*)::int from audit_logs where target_id = any($1::text[])) as rows,
              (select count(*)::int from events where data->>'key_id' = any($1::text[])) as events`,
      [ids],
    );
    expect([rows, events]).toEqual([500, 500]);
  });

  test('only the last statement of each transaction locks the rows that admission needs', async () => {
    const ids = await createMany(120);
    const free = bulkWith(async () => {
      await db.source.query('select 1 from key_quota where key_id = any($1::uuid[]) for update nowait', [ids]);
    });
    expect((await change('suspend', ids, free)).succeeded).toEqual(ids);
  });

  test('keys are locked in key order, regardless of the order of the request and the table', async () => {
    const [low, high] = [`00000000-${randomUUID().slice(9)}`, `ffffffff-${randomUUID().slice(9)}`];
    for (const id of [high, low])
      await db.source.query(
        `insert into api_keys (id, name, key_hash, key_hint) values ($1::uuid, 'k', sha256($1::uuid::text::bytea), 'x')`,
        [id],
      );
    const lock = 'select 1 from api_keys where id = $1 for no key update nowait';
    let bulk: Promise<unknown> | undefined;
    await db.source.transaction(async (transaction) => {
      await transaction.query(lock, [low]);
      bulk = change('suspend', [high, low]);
      await until(async () => (await waitingForKeys()) === 1);
      await db.source.query(lock, [high]);
    });
    expect(await bulk).toEqual({ succeeded: [high, low], failed: [] });
  });

  test('concurrent bulk changes in different orders all complete and change each key once', async () => {
    const ids = await createMany(120);
    const outcomes = await Promise.all([
      change('suspend', ids),
      change('suspend', ids.toReversed()),
      change('suspend', ids.toSorted()),
    ]);
    expect(outcomes.flatMap(({ succeeded }) => succeeded).sort()).toEqual(ids.toSorted());
    expect(outcomes.flatMap(({ failed }) => failed)).toHaveLength(2 * ids.length);
  });

  test('bulk changes and admission batches of the same keys do not make each other fail', async () => {
    const ids = await createMany(60);
    let done = false;
    const locking = async () => {
      while (!done)
        await db.source.transaction((transaction) =>
          transaction.query(
            'select 1 from key_quota where key_id = any($1::uuid[]) order by key_id for no key update',
            [ids],
          ),
        );
    };
    const batches = [locking(), locking()];
    for (let round = 0; round < 10; round++) {
      expect((await change(round % 2 === 0 ? 'suspend' : 'unsuspend', ids)).succeeded).toHaveLength(60);
    }
    done = true;
    await Promise.all(batches);
  });
});

describe('BulkTransitions during a database outage', () => {
  test('completed keys are reported, and the others get service_unavailable and stay unchanged', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const ids = await createMany(120);
    const failing = bulkWith(async (written) => {
      if (written > 60) throw new Error('unavailable');
    });
    const { succeeded, failed } = await change('revoke', ids, failing);
    expect(succeeded).toEqual(ids.slice(0, 50));
    expect(failed).toEqual(ids.slice(50).map((id) => [id, 'service_unavailable']));
    expect(await statusesOf(succeeded)).toEqual(['revoked']);
    expect(await statusesOf(ids.slice(50))).toEqual(['active']);
    expect(await db.auditRows(ids[50]!)).toEqual([]);
  });

  test('a bulk change fails as a whole if it has changed no key', async () => {
    const ids = await createMany(2);
    const failing = bulkWith(() => Promise.reject(new Error('unavailable')));
    await expect(change('revoke', ids, failing)).rejects.toThrow('unavailable');
    expect(await statusesOf(ids)).toEqual(['active']);
  });
});
