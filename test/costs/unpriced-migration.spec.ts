import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../migrations/all.js';
import { unpricedRequestsIn } from '../../src/costs/unpriced-usage.js';
import { keepOrder } from '../support/describe-in-order.js';
import { createEmptyDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { NO_DETAILS as DETAILS } from './pricing/reports.js';

/** As the release before batches stores it. */
const NO_DETAILS = Object.fromEntries(Object.entries(DETAILS).filter(([name]) => name !== 'others'));
/** The details that the release with batches knows. */
const DETAILS_BEFORE = Object.fromEntries(
  Object.entries(NO_DETAILS).filter(
    ([name]) =>
      !['requestedTier', 'requestedRegion', 'unmeasured', 'mediaOnly', 'videoSeconds', 'megabytes'].includes(name),
  ),
);

let database: ScratchDatabase;
let source: DataSource;
const at = MIGRATIONS.findIndex(({ name }) => name.startsWith('UnpricedBatches'));

async function connected(migrations: typeof MIGRATIONS): Promise<DataSource> {
  const options = { type: 'postgres', url: database.url, migrations, poolSize: 1 } as const;
  return new DataSource(options).initialize();
}

beforeAll(async () => {
  database = await createEmptyDatabase();
  const before = await connected(MIGRATIONS.slice(0, at));
  await before.runMigrations();
  await writeAsBefore(before, EARLIER);
  await before.destroy();
  source = await connected(MIGRATIONS.slice(0, at + 2));
  await source.runMigrations();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const EARLIER = { id: '019ac2d0-1234-7000-8000-000000000001', atMs: 0x019ac2d01234, nanos: null, details: null };
const LATER = {
  id: '019ac2d0-2345-7000-8000-000000000002',
  atMs: 0x019ac2d02345,
  nanos: '9007199254740993',
  details: { ...NO_DETAILS, cachedInput: 7, serviceTier: 'flex' },
};

interface Written {
  readonly id: string;
  readonly atMs: number;
  readonly nanos: string | null;
  readonly details: object | null;
}

/** As the release before batches. */
async function writeAsBefore(db: DataSource, { id, atMs, nanos, details }: Written): Promise<void> {
  const usage = { inputTokens: 9, outputTokens: 3, provenance: 'reported' };
  await db.query(
    `insert into unpriced_usage (id, day, at, key_id, model, answered_model, endpoint, provider, base_url, cost_nanos, usage)
     values ($1, $2::timestamptz::date, $2, '00000000-0000-0000-0000-00000000000a', 'asked', 'm', '/v1/x', 'p', 'https://x', $3, $4)
     on conflict do nothing`,
    [
      id,
      new Date(atMs).toISOString(),
      nanos,
      { usage, details, models: ['m', 'asked'], units: { input: 9, output: 3 } },
    ],
  );
}

const stored = async () => {
  const rows = await source.query<{ items: unknown[] }[]>(
    'select model, models, base_url, requests, units, items from unpriced_batches order by first_at',
  );
  return rows.map(({ items, ...row }) => ({ ...row, read: unpricedRequestsIn(items) }));
};
const usage = { inputTokens: 9, outputTokens: 3, provenance: 'reported' };

// The last tests undo and repeat the migrations.
keepOrder();

test('requests of the previous release are moved, including those that it records after the migration', async () => {
  await writeAsBefore(source, LATER);
  const row = {
    model: 'asked',
    models: ['m', 'asked'],
    base_url: 'https://x',
    requests: 1,
    units: { input: 9, output: 3 },
  };
  expect(await stored()).toEqual([
    { ...row, read: [{ atMs: EARLIER.atMs, logId: EARLIER.id, nanos: null, usage, details: null }] },
    {
      ...row,
      read: [
        {
          atMs: LATER.atMs,
          logId: LATER.id,
          nanos: 9007199254740993n,
          usage,
          details: { ...LATER.details, others: null },
        },
      ],
    },
  ]);
  expect(await source.query('select from unpriced_usage')).toEqual([]);
});

test('without the migration, the previous release has all requests again, each with its time', async () => {
  await source.query(
    `update unpriced_batches set items = '[[1764000000123,5,0,"partial",{"cachedInput":5}]]' where items::text like '%${EARLIER.id}%'`,
  );
  await source.undoLastMigration();
  await source.undoLastMigration();
  const rows = await source.query<{ id: string; at: Date }[]>(
    'select id, at, cost_nanos, usage from unpriced_usage order by at',
  );
  expect(rows).toMatchObject([
    {
      at: new Date(1_764_000_000_123),
      cost_nanos: null,
      usage: {
        usage: { inputTokens: 5, outputTokens: 0, provenance: 'partial' },
        models: ['m', 'asked'],
        details: { ...DETAILS_BEFORE, cachedInput: 5 },
      },
    },
    { id: LATER.id, at: new Date(LATER.atMs), cost_nanos: LATER.nanos, usage: { usage, details: LATER.details } },
  ]);
  const { id } = rows[0]!;
  expect(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toBe(1_764_000_000_123);
});
