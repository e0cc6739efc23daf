import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newRequestId } from '../../src/platform/request-context/request-id.js';
import { requestRowOf, type RequestRow } from '../../src/stats/pending-records.js';
import { UnstoredRecords } from '../../src/stats/reports/unstored-records.read-model.js';
import type { CostEntry } from '../../src/stats/usage-ledger.js';
import { keySnapshot, requestOf, StatsDatabase, StatsProcess } from '../support/stats-database.js';

let database: StatsDatabase;
beforeAll(async () => {
  database = await StatsDatabase.create();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.source.query(
    'truncate request_logs, usage_daily, usage_monthly, cost_daily, unpriced_batches, unstored_records',
  );
});

const ORDINARY = { inputTokens: 5, outputTokens: 6, estimatedTokens: 0 };

const unstored = async () => (await new UnstoredRecords(database.source).list({ limit: 1000, offset: 0 })).records;

const costOf = (nanos: bigint, units: number): CostEntry => ({
  endpoint: '/v1/chat/completions',
  provider: 'default',
  estimated: false,
  additionalTokens: 0,
  unpriced: null,
  priced: {
    kinds: { units: { input: units, images: 1 }, reasoning: 0, inputTokens: 0 },
    nanos,
    unpriced: false,
    cost: null,
    price: null,
  } as unknown as CostEntry['priced'],
});

const figure = fc.oneof(
  fc.integer({ min: 0, max: 1000 }),
  fc.constantFrom(NaN, Infinity, -1, 0.5, 2 ** 31 - 1, 2 ** 53, 2 ** 63, 2 ** 70, 1e21, 1e300),
);
const extreme = fc.record({
  inputTokens: figure,
  outputTokens: figure,
  units: figure,
  nanos: fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.constantFrom(2n ** 63n - 1n, 2n ** 63n, 10n ** 40n)),
});

const logRow = (change: Partial<RequestRow> = {}): RequestRow => {
  const key = keySnapshot(newRequestId(0));
  const given = { keyId: key.id, endpoint: '/v1/models', status: 200, latencyMs: 1 };
  return { ...requestRowOf(requestOf(key), given), ...change };
};

describe('a row with extreme figures', () => {
  test('is stored or set aside with its reason, and every other row of its batch is stored', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(extreme, { minLength: 1, maxLength: 12 }), async (given) => {
        const { pending, writer } = new StatsProcess(database.source);
        const add = (figures: (typeof given)[number]) => {
          const keyId = newRequestId(0);
          const cost = costOf(figures.nanos, figures.units);
          pending.usage.add(keyId, Date.now(), 'm', { ...figures, estimatedTokens: 0, failed: false, cost });
          return keyId;
        };
        const keys = given.map(add);
        const ordinary = add({ ...ORDINARY, units: 5, nanos: 7n });
        await writer.flush();
        expect(writer.unwritten.requests).toBe(0);
        const stored = await database.source.query<{ key_id: string; requests: string; cost: string }[]>(
          'select u.key_id, u.requests, c.cost_nanos cost from usage_daily u join cost_daily c using (key_id, day, model)',
        );
        const aside = (await unstored()).map(({ keyId }) => keyId);
        const found = stored.map(({ key_id }) => key_id);
        for (const key of keys) expect([...found, ...aside].filter((one) => one === key)).toEqual([key]);
        expect(stored).toContainEqual({ key_id: ordinary, requests: '1', cost: '7' });
        await database.source.query('truncate usage_daily, usage_monthly, cost_daily, unstored_records');
      }),
      { numRuns: 30 },
    );
  });

  test('keeps its figures and the reason of the database', async () => {
    const { pending, writer } = new StatsProcess(database.source);
    const keyId = newRequestId(0);
    pending.usage.add(keyId, Date.now(), 'm', { ...ORDINARY, inputTokens: 2 ** 64, failed: false });
    await writer.flush();
    expect(await unstored()).toEqual([
      {
        id: expect.any(String),
        at: expect.any(Date),
        source: 'usage',
        keyId,
        reason: expect.stringContaining('out of range'),
        record: expect.stringContaining('"output_tokens":6'),
      },
    ]);
    expect(writer.unstored.get('usage')).toBe(1);
  });

  test('does not take the other request logs with it', async () => {
    const { pending, writer } = new StatsProcess(database.source, 1);
    const [first, last] = [logRow(), logRow()];
    const wrong = logRow({ costNanos: String(2n ** 63n) });
    for (const row of [first, wrong, last]) pending.samples.push(row);
    await writer.flush();
    const logs = await database.source.query<{ id: string }[]>('select id from request_logs');
    expect(logs.map(({ id }) => id).sort()).toEqual([first.id, last.id].sort());
    expect(await unstored()).toEqual([
      expect.objectContaining({
        source: 'request_logs',
        keyId: wrong.keyId,
        record: expect.stringContaining(wrong.id),
      }),
    ]);
    expect(pending.samples.dropped).toBe(0);
  });
});
