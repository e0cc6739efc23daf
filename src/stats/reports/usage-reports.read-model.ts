import { Injectable } from '@nestjs/common';
import { ReportSource } from '../../platform/database/report-source.js';
import { readKeyUsage, readUsage } from './usage.read-model.js';
import type { KeyUsageHistory, KeyUsageQuery, Reader, UsageSummary } from './usage.read-model.js';
import type { Days } from '../../costs/days.rules.js';
import { sqlFile } from '../../platform/database/sql-file.js';

const COSTS = sqlFile(import.meta.url, './usage-costs.sql');
const REJECTED = sqlFile(import.meta.url, './rejected-requests.sql');
const KEY_COSTS = sqlFile(import.meta.url, './key-usage-costs.sql');
const HISTORY_COSTS = sqlFile(import.meta.url, './key-history-costs.sql');

/** The cost of a part of the usage, and its tokens in prompt caches. Counts are exact up to 2^53. */
export interface UsageCost {
  /** A lower bound if requests are unpriced. Null if no request has a price. */
  readonly nanos: bigint | null;
  readonly unpricedRequests: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** The costs of the parts of a usage report, by their names. A part without a request to a provider is missing. */
export interface UsageCosts {
  readonly total: UsageCost | null;
  readonly days: ReadonlyMap<string, UsageCost>;
  readonly keys: ReadonlyMap<string, UsageCost>;
  /** '' for requests without a model. */
  readonly models: ReadonlyMap<string, UsageCost>;
}

export interface UsageReport {
  readonly usage: UsageSummary;
  /** Requests that were not admitted, which `usage` does not include. */
  readonly rejected: number;
  readonly costs: UsageCosts;
}

export interface KeyCosts {
  readonly days: ReadonlyMap<string, UsageCost>;
  readonly months: ReadonlyMap<string, UsageCost>;
}

/** Reads usage with its costs, in one snapshot (D17). They are exact and at most a second behind. */
@Injectable()
export class UsageReports {
  constructor(private readonly source: ReportSource) {}

  /** @param keyId null for all keys */
  summary(range: Days, keyId: string | null): Promise<UsageReport> {
    return this.source.transaction('REPEATABLE READ', async (snapshot) => {
      const usage = await readUsage(snapshot, range, keyId);
      const [{ rejected }] = await snapshot.query<[{ rejected: number }]>(REJECTED, [range.from, range.to, keyId]);
      return { usage, rejected, costs: await costsOf(snapshot, range, keyId, usage) };
    });
  }

  history(keyId: string, query: KeyUsageQuery): Promise<{ readonly usage: KeyUsageHistory; readonly costs: KeyCosts }> {
    return this.source.transaction('REPEATABLE READ', async (snapshot) => {
      const usage = await readKeyUsage(snapshot, keyId, query);
      const days = usage.daily.map(({ day }) => day);
      const months = usage.monthly.map(({ month }) => `${month}-01`);
      const rows = await snapshot.query<Row[]>(HISTORY_COSTS, [keyId, days, months]);
      return { usage, costs: { days: partsOf(rows, 'day'), months: partsOf(rows, 'month') } };
    });
  }
}

async function costsOf(
  snapshot: Reader,
  { from, to }: Days,
  keyId: string | null,
  { byKey, byModel }: UsageSummary,
): Promise<UsageCosts> {
  const keys = byKey.map((key) => key.keyId);
  const models = byModel.map(({ model }) => model ?? '');
  const rows =
    keyId === null
      ? await snapshot.query<Row[]>(COSTS, [from, to, keys, models])
      : await snapshot.query<Row[]>(KEY_COSTS, [from, to, keyId]);
  return {
    total: partsOf(rows, 'total').get('') ?? null,
    days: partsOf(rows, 'day'),
    keys: partsOf(rows, 'key'),
    models: partsOf(rows, 'model'),
  };
}

/** Nano-dollars are text, because they can exceed 2^53. */
interface Row {
  readonly kind: 'total' | 'day' | 'key' | 'model' | 'month';
  readonly value: string;
  readonly requests: number;
  readonly unpriced: number;
  readonly nanos: string;
  readonly reads: number;
  readonly writes: number;
}

const partsOf = (rows: readonly Row[], kind: Row['kind']): Map<string, UsageCost> =>
  new Map(rows.filter((row) => row.kind === kind).map((row) => [row.value, costOf(row)]));

function costOf({ requests, unpriced, nanos, reads, writes }: Row): UsageCost {
  const isUnknown = unpriced === requests && nanos === '0';
  return {
    nanos: isUnknown ? null : BigInt(nanos),
    unpricedRequests: unpriced,
    cacheReadTokens: reads,
    cacheWriteTokens: writes,
  };
}
