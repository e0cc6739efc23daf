import { Injectable } from '@nestjs/common';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { Transaction } from '../../platform/database/transactions.js';
import { timeOfRequestId } from '../../platform/request-context/request-id.js';
import { unpricedRequestsIn, type UnpricedFilter, type UnpricedPart, type UnpricedRequest } from '../unpriced-usage.js';
import { isoTimestamp } from '../../platform/validation/timestamp.js';

const TAKE = sqlFile(import.meta.url, './take-unpriced-batches.sql');
const KEEP = sqlFile(import.meta.url, './keep-unpriced-batch.sql');
const LOCK_DAYS = sqlFile(import.meta.url, './lock-cost-days.sql');
const ADD_TO_DAYS = sqlFile(import.meta.url, './add-recomputed-costs.sql');
const SET_LOGGED_COSTS = sqlFile(import.meta.url, './set-logged-costs.sql');
const SET_REFUSED_COSTS = sqlFile(import.meta.url, './set-refused-costs.sql');

/** Requests without a complete price. The first five fields are the primary key of their row in `cost_daily`. */
export interface UnpricedBatch {
  readonly day: string;
  readonly keyId: string;
  readonly model: string;
  readonly endpoint: string;
  /** The name of the upstream. */
  readonly provider: string;
  readonly id: string;
  /** As in `PriceQuery`. */
  readonly models: readonly string[];
  readonly baseUrl: string | null;
  readonly requests: readonly UnpricedRequest[];
}

export interface RecomputedRequest {
  readonly request: UnpricedRequest;
  readonly nanos: bigint;
  /** As in request logs. */
  readonly cost: object;
}

/** The changes of a batch by a recomputation. */
export interface SettledBatch {
  readonly batch: UnpricedBatch;
  readonly priced: readonly RecomputedRequest[];
  /** The requests that still have no price. Null if there are none. */
  readonly rest: UnpricedPart | null;
}

/** Requests that wait for a price. Each has a part in `cost_daily`, which changes in the transaction that removes the request. */
@Injectable()
export class UnpricedStore {
  /**
   * Locks the next batches in the order of their IDs. The time of a batch matches the filter if that of a request can match it.
   * @param afterId of the last batch before them; null at the start
   * @param requests the minimum number of requests in these batches, unless fewer are left
   */
  async take(
    transaction: Transaction,
    filter: UnpricedFilter,
    afterId: string | null,
    requests: number,
  ): Promise<UnpricedBatch[]> {
    const { model, provider, sinceMs, untilMs } = filter;
    const values = [model, provider, isoTimestamp(sinceMs), isoTimestamp(untilMs), afterId, requests];
    const rows = await transaction.query<TakenRow[]>(TAKE, values);
    return rows.map(({ items, ...batch }) => ({ ...batch, requests: unpricedRequestsIn(items) }));
  }

  /** Moves requests from the unpriced ones to the costs of their days, and updates their logs. */
  async settle(transaction: Transaction, settled: readonly SettledBatch[]): Promise<void> {
    await transaction.query('delete from unpriced_batches where id = any($1::bigint[])', [
      settled.filter(({ rest }) => rest === null).map(({ batch }) => batch.id),
    ]);
    for (const { batch, rest } of settled)
      if (rest !== null) await transaction.query(KEEP, [batch.id, ...columnsOf(rest)]);
    const sums = JSON.stringify(sumsOf(settled));
    // Two statements: the second one reads the rows as they are once they are locked.
    await transaction.query(LOCK_DAYS, [sums]);
    await transaction.query(ADD_TO_DAYS, [sums]);
    const logs = settled.flatMap(({ priced }) => priced.filter(({ request }) => request.logId !== null).map(logOf));
    if (logs.length === 0) return;
    // Each log is a row of one of the two tables, and the other statement does not find it.
    await transaction.query(SET_LOGGED_COSTS, [JSON.stringify(logs)]);
    await transaction.query(SET_REFUSED_COSTS, [JSON.stringify(logs)]);
  }
}

interface TakenRow extends Omit<UnpricedBatch, 'requests'> {
  readonly items: readonly unknown[];
}

const columnsOf = ({ requests, firstAtMs, lastAtMs, units, items }: UnpricedPart): unknown[] => [
  requests,
  isoTimestamp(firstAtMs),
  isoTimestamp(lastAtMs),
  JSON.stringify(units),
  items,
];

const logOf = ({ request: { logId }, nanos, cost }: RecomputedRequest): object => ({
  id: logId,
  created_at: isoTimestamp(timeOfRequestId(logId!)),
  cost_nanos: String(nanos),
  cost,
});

/** The changes to rows of `cost_daily`, which already contain parts of the amounts. */
function sumsOf(settled: readonly SettledBatch[]): object[] {
  const rows = new Map<string, { requests: number; nanos: bigint; readonly key: object }>();
  for (const { batch, priced } of settled) {
    const { day, keyId, model, endpoint, provider } = batch;
    const name = JSON.stringify([day, keyId, model, endpoint, provider]);
    let row = rows.get(name);
    if (row === undefined)
      rows.set(name, (row = { requests: 0, nanos: 0n, key: { day, key_id: keyId, model, endpoint, provider } }));
    row.requests += priced.length;
    for (const { request, nanos } of priced) row.nanos += nanos - (request.nanos ?? 0n);
  }
  // A JSON number above 2^53 would be rounded.
  return [...rows.values()].map(({ key, requests, nanos }) => ({ ...key, requests, nanos: String(nanos) }));
}
