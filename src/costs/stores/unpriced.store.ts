import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transactions.js';
import { timeOfRequestId } from '../../platform/request-context/request-id.js';
import { unpricedRequestsIn, type UnpricedFilter, type UnpricedPart, type UnpricedRequest } from '../unpriced-usage.js';
import { isoTimestamp } from '../../platform/validation/timestamp.js';

/** Requests without a complete price. The first five fields are the key of their row in `cost_daily`. */
export interface UnpricedBatch {
  readonly day: string;
  readonly keyId: string;
  readonly model: string;
  readonly endpoint: string;
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
   * @param requests the number of requests that they have in total, at least
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
    for (const table of ['request_logs', 'request_refusals'])
      await transaction.query(updateLogs(table), [JSON.stringify(logs)]);
  }
}

interface TakenRow extends Omit<UnpricedBatch, 'requests'> {
  readonly items: readonly unknown[];
}

// Many keys have batches of one request, and busy ones have batches of hundreds.
const TAKE = `
with next as materialized (
  select id from (
    select id, sum(requests) over (order by id) - requests as before from (
      select id, requests from unpriced_batches
       where ($1::text is null or answered_model = $1 or model = $1) and ($2::text is null or provider = $2)
         and ($3::timestamptz is null or last_at >= $3) and ($4::timestamptz is null or first_at <= $4)
         and ($5::bigint is null or id > $5)
       order by id limit $6) found) summed
   where before < $6
)
select day::text, key_id as "keyId", model, endpoint, provider, id, models, base_url as "baseUrl", items
  from unpriced_batches where id in (select id from next)
 order by id
   for update`;

const KEEP = `
update unpriced_batches set requests = $2, first_at = $3, last_at = $4, units = $5::jsonb, items = $6::json where id = $1`;

const columnsOf = ({ requests, firstAtMs, lastAtMs, units, items }: UnpricedPart): unknown[] => [
  requests,
  isoTimestamp(firstAtMs),
  isoTimestamp(lastAtMs),
  JSON.stringify(units),
  items,
];

const GIVEN = `jsonb_to_recordset($1::jsonb)
         as g(day date, key_id uuid, model text, endpoint text, provider text, requests bigint, nanos bigint)`;
const SAME = `u.day = g.day and u.key_id = g.key_id and u.model = g.model and u.endpoint = g.endpoint and u.provider = g.provider`;

// In the order in which `UsageStore` locks them, so that there are no deadlocks.
const LOCK_DAYS = `
select from cost_daily u join ${GIVEN} on ${SAME}
 order by u.day, u.key_id, u.model, u.endpoint, u.provider
   for no key update of u`;

const ADD_TO_DAYS = `
update cost_daily u
   set cost_nanos = u.cost_nanos + g.nanos, unpriced_requests = u.unpriced_requests - g.requests
  from ${GIVEN}
 where ${SAME}`;

const updateLogs = (table: string): string => `
update ${table} r set cost_nanos = g.cost_nanos, cost = g.cost
  from jsonb_to_recordset($1::jsonb) as g(id uuid, created_at timestamptz, cost_nanos bigint, cost jsonb)
 where r.created_at = g.created_at and r.id = g.id`;

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
