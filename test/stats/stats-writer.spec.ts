import { describe, expect, test } from '@jest/globals';
import { PendingRecords, type RequestRow } from '../../src/stats/pending-records.js';
import { StatsWriter } from '../../src/stats/stats-writer.service.js';
import type { LastUseStore } from '../../src/stats/stores/last-use.store.js';
import type { RequestRowStore } from '../../src/stats/stores/request-row.store.js';
import type { UnstoredRecordStore } from '../../src/stats/stores/unstored-record.store.js';
import type { UsageStore } from '../../src/stats/stores/usage.store.js';

const NOON = Date.UTC(2030, 4, 15, 12);
const NO_TOKENS = { inputTokens: 0, outputTokens: 0, estimatedTokens: 0 };
/** Two statements write this many rows. */
const ROWS = 1500;

describe('StatsWriter.flush', () => {
  test('a flush ends and reaches every table, even if requests arrive as fast as they are written', async () => {
    const pending = new PendingRecords();
    let keys = 0;
    const serve = (count: number) => {
      for (let i = 0; i < count; i++)
        pending.usage.add(`key ${keys++}`, NOON, 'gpt-4o', { ...NO_TOKENS, failed: false });
    };
    const written: string[] = [];
    const usage = {
      write: async (rows: readonly unknown[]) => {
        written.push(`usage ${rows.length}`);
        if (written.length > 10) throw new Error('the flush does not end');
        serve(rows.length);
      },
    };
    const requests = { write: async (table: string) => void written.push(table) };
    const writer = new StatsWriter(
      pending,
      usage as unknown as UsageStore,
      {} as LastUseStore,
      requests as unknown as RequestRowStore,
      {} as UnstoredRecordStore,
    );
    serve(ROWS);
    pending.refusals.push({} as RequestRow);
    await writer.flush();
    expect(written).toEqual(['usage 1000', 'usage 500', 'request_refusals']);
    expect(pending.usage.size).toBe(ROWS);
  });
});
