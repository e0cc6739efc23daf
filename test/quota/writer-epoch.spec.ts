import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import type { AdmitEntry } from '../../src/quota/verdict.rules.js';
import { expireOne } from '../../src/quota/ledger/limit-settlement.js';
import { ReservationHeartbeat } from '../../src/quota/ledger/reservation-heartbeat.js';
import { QuotaWriter } from '../../src/quota/ledger/quota-writer.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { addLimit, claimsOf, figuresOf, wrongHolds } from '../support/limit-rows.js';
import { QuotaDatabase } from '../support/quota-database.js';

const NOON = Date.UTC(2030, 4, 15, 12);

let database: QuotaDatabase;
let key: KeySnapshot;
let limit: number;
let writer: QuotaWriter;
let setVersion: number;
let clients: Client[];

beforeAll(async () => {
  database = await QuotaDatabase.create();
});
beforeEach(async () => {
  clients = [];
  key = await database.addKey();
  limit = await addLimit(database.client, { measure: 'tokens', period: 'total', amount: 1_000_000 });
  ({ setVersion } = await claimsOf(database.client, [limit, 1]));
  writer = new QuotaWriter();
  await writer.beginEpoch(await connect());
  await writer.admit(await connect(), [entry(2, [10, 20])], setVersion);
});
afterEach(() => Promise.all(clients.map((client) => client.end())));
afterAll(() => database.drop());

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  clients.push(client);
  return client;
}

function entry(count: number, asked: readonly number[]): AdmitEntry {
  const requests = asked.map((each, i) => ({
    order: i,
    items: [{ limitId: limit, asked: each, holds: true, overdraft: 0 }],
  }));
  return { ...key, keyId: key.id, count, requests };
}

const LOST = new Error('The connection was lost');

/** A connection whose statements are still in transit when it is lost. `deliver` lets the server run them. */
async function losing(): Promise<{ client: Client; deliver(): Promise<unknown[]> }> {
  const real = await connect();
  const sent: { statement: unknown; values: unknown[] | undefined }[] = [];
  const query = (statement: unknown, values?: unknown[]): Promise<unknown> | undefined => {
    sent.push({ statement, values });
    if (typeof statement !== 'object') return Promise.reject(LOST);
    (statement as { handleError(error: Error): void }).handleError(LOST);
    return undefined;
  };
  return {
    client: { query } as unknown as Client,
    deliver: () => Promise.all(sent.map(({ statement, values }) => deliver(real, statement, values))),
  };
}

function deliver(client: Client, statement: unknown, values: unknown[] | undefined): Promise<unknown> {
  if (typeof statement !== 'object') return client.query(statement as string, values);
  const { text, values: bound } = statement as { text: string; values: unknown[] };
  return client.query(text, bound);
}

const counted = async () => {
  const { monthUsed } = await database.stored(key.id);
  const { held } = await figuresOf(database.client, limit);
  return { monthUsed, held };
};

/** The two requests before each test. */
const BEFORE = { monthUsed: 2, held: 30 };

describe('the epoch after a lost batch', () => {
  test('a batch that begins after the next epoch is fenced', async () => {
    const lost = await losing();
    await expect(writer.admit(lost.client, [entry(1, [500])], setVersion)).rejects.toBe(LOST);
    await writer.beginEpoch(await connect());
    await lost.deliver();
    expect(await counted()).toEqual(BEFORE);
  });

  test('a stored batch is subtracted, because its request was rejected', async () => {
    const lost = await losing();
    await expect(writer.admit(lost.client, [entry(1, [500])], setVersion)).rejects.toBe(LOST);
    await lost.deliver();
    expect(await counted()).toEqual({ monthUsed: 3, held: 530 });
    await writer.beginEpoch(await connect());
    expect(await counted()).toEqual(BEFORE);
  });

  test('a batch that begins after the start of an epoch was lost in transit is subtracted', async () => {
    const lost = await losing();
    await expect(writer.admit(lost.client, [entry(1, [500])], setVersion)).rejects.toBe(LOST);
    await expect(writer.beginEpoch((await losing()).client)).rejects.toBe(LOST);
    await lost.deliver();
    await writer.beginEpoch(await connect());
    expect(await counted()).toEqual(BEFORE);
  });

  test('a batch is fenced even if the response to the start of the next epoch was lost', async () => {
    const lost = await losing();
    await expect(writer.admit(lost.client, [entry(1, [500])], setVersion)).rejects.toBe(LOST);
    const takeover = await losing();
    await expect(writer.beginEpoch(takeover.client)).rejects.toBe(LOST);
    await takeover.deliver();
    await lost.deliver();
    expect(await counted()).toEqual(BEFORE);
    await writer.beginEpoch(await connect());
    expect(await counted()).toEqual(BEFORE);
  });

  test('requests of a stored batch leave the part of a rolling period in which they were counted', async () => {
    const rolling = await addLimit(database.client, { measure: 'requests', period: 'rolling_5h', amount: 100 });
    ({ setVersion } = await claimsOf(database.client, [rolling, 1]));
    const requests = (count: number): AdmitEntry => ({
      ...entry(count, []),
      requests: Array.from({ length: count }, (_, order) => ({
        order,
        items: [{ limitId: rolling, asked: 1, holds: false, overdraft: 0 }],
      })),
    });
    await database.setNow(NOON);
    const lost = await losing();
    await expect(writer.admit(lost.client, [requests(3)], setVersion)).rejects.toBe(LOST);
    await lost.deliver();
    await database.setNow(NOON + 600_000);
    const other = new QuotaWriter();
    await other.beginEpoch(await connect());
    await other.admit(await connect(), [requests(5)], setVersion);
    await writer.beginEpoch(await connect());
    expect(await figuresOf(database.client, rolling)).toMatchObject({ used: 5 });
    await database.setNow(NOON + 5.1 * 3_600_000);
    await other.admit(await connect(), [requests(1)], setVersion);
    expect(await figuresOf(database.client, rolling)).toMatchObject({ used: 6 });
    expect(await wrongHolds(database.client)).toEqual([]);
    await database.setNow(null);
  });

  test('a settlement is stored once, whether it was lost before or after it began', async () => {
    for (const isStored of [false, true]) {
      writer.journal.limits.add({ limitId: limit, period: 0, freed: 10, spent: 7, overdraft: 0 });
      const lost = await losing();
      await expect(writer.settle(lost.client)).rejects.toBe(LOST);
      if (isStored) await lost.deliver();
      await writer.beginEpoch(await connect());
      if (!isStored) await lost.deliver();
    }
    expect(await figuresOf(database.client, limit)).toMatchObject({ used: 14, held: 10 });
    expect(await wrongHolds(database.client)).toEqual([]);
  });

  test('entries that the database lost in a crash are stored again', async () => {
    const before = await database.client.query<{ batch: string }>(
      'select batch from quota_writer where writer_id = $1',
      [writer.id],
    );
    await writer.admit(await connect(), [entry(2, [100, 200])], setVersion);
    writer.journal.limits.add({ limitId: limit, period: 0, freed: 10, spent: 7, overdraft: 0 });
    await writer.settle(await connect());
    await database.client.query('update quota_writer set batch = $2 where writer_id = $1', [
      writer.id,
      before.rows[0]!.batch,
    ]);
    await database.client.query('update limit_counters set used = 0, held = 30 where limit_id = $1', [limit]);
    await database.client.query('update limit_holds set held = 30 where limit_id = $1', [limit]);
    await database.client.query('update key_quota set month_count = 2 where key_id = $1', [key.id]);
    await writer.beginEpoch(await connect());
    expect(await figuresOf(database.client, limit)).toMatchObject({ used: 7, held: 320 });
    expect((await database.stored(key.id)).monthUsed).toBe(4);
    expect(await wrongHolds(database.client)).toEqual([]);
  });
});

describe('a process that was treated as dead', () => {
  const expire = async () => {
    for (let writerId: string | null = ''; writerId !== null;) {
      const { rows } = await database.client.query<{ id: string | null }>(
        `select limits_expire_1(interval '0 seconds') as id`,
      );
      writerId = rows[0]!.id;
    }
  };

  test('the reservations of such a process count as used, and are restored when it returns', async () => {
    await expire();
    expect(await figuresOf(database.client, limit)).toMatchObject({ used: 30, held: 0, estimated: 30 });
    await writer.beginEpoch(await connect());
    expect(await figuresOf(database.client, limit)).toMatchObject({ used: 0, held: 30, estimated: 0 });
    expect(await wrongHolds(database.client)).toEqual([]);
  });

  test('the next batch and settlement of such a process are fenced until it begins an epoch', async () => {
    await expire();
    const client = await connect();
    expect(await writer.admit(client, [entry(1, [5])], setVersion)).toBeNull();
    writer.journal.limits.add({ limitId: limit, period: 0, freed: 30, spent: 4, overdraft: 0 });
    await writer.settle(client);
    expect(await figuresOf(database.client, limit)).toMatchObject({ used: 4, held: 0, estimated: 0 });
  });

  test('the concurrent requests of such a process are released', async () => {
    const places = await addLimit(database.client, { measure: 'concurrent_requests', period: 'total', amount: 1 });
    const claims = await claimsOf(database.client, [places, 1]);
    const other = new QuotaWriter();
    await other.beginEpoch(await connect());
    const request = { ...key, keyId: key.id, count: 1, requests: [{ order: 0, items: claims.items }] };
    await other.admit(await connect(), [request], claims.setVersion);
    await expire();
    expect(await figuresOf(database.client, places)).toMatchObject({ used: 0, held: 0 });
  });
});

describe('the end of a silent process', () => {
  /** Ends only the process of `writer`. */
  const warnings = async () => {
    await database.client.query(
      `update quota_writer set beat_at = clock_timestamp() - interval '1 minute',
              expired_at = case when writer_id <> $1 then clock_timestamp() end`,
      [writer.id],
    );
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    expect(await expireOne(await connect())).toBe(true);
    const messages = warned.mock.calls.map(([message]) => String(message));
    warned.mockRestore();
    return messages;
  };

  test('the end of a silent process is logged if the process held reservations', async () => {
    expect(await warnings()).toEqual([expect.stringContaining(`${writer.id}) stopped without settling`)]);
    expect(await figuresOf(database.client, limit)).toMatchObject({ used: 30, held: 0 });
  });

  test('the end of a silent process is not logged if the process has settled everything, as in each clean shutdown', async () => {
    writer.journal.limits.add({ limitId: limit, period: 0, freed: 30, spent: 4, overdraft: 0 });
    await writer.settle(await connect());
    expect(await warnings()).toEqual([]);
    expect(await figuresOf(database.client, limit)).toMatchObject({ used: 4, held: 0 });
  });

  test('the end of a silent process is not logged if the periods of its reservations have ended', async () => {
    await database.client.query('update limit_counters set period = period + 1, held = 0 where limit_id = $1', [limit]);
    expect(await warnings()).toEqual([]);
    expect(await figuresOf(database.client, limit)).toMatchObject({ used: 0, held: 0 });
  });

  test('the end of a silent process is detected by a process that has no requests under limits', async () => {
    await database.client.query(
      `update quota_writer set beat_at = clock_timestamp() - interval '1 minute', expired_at = null`,
    );
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const heartbeat = new ReservationHeartbeat(new QuotaWriter());
    const client = await connect();
    heartbeat.connected();
    await heartbeat.look(client);
    const sinceMs = performance.now();
    const clock = jest.spyOn(performance, 'now');
    for (let afterMs = 20_000; heartbeat.isDue; afterMs += 5000) {
      clock.mockReturnValue(sinceMs + afterMs);
      await heartbeat.beat(client);
      clock.mockReturnValue(sinceMs + afterMs + 4000);
    }
    clock.mockRestore();
    warned.mockRestore();
    expect(await figuresOf(database.client, limit)).toMatchObject({ used: 30, held: 0, estimated: 30 });
  });
});
