import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transactions.js';
import { timeOfRequestId } from '../../request-context/request-id.js';
import type { UnpricedUsageReport } from '../unpriced-usage.js';

/** All conditions must hold. Null means no condition. */
export interface UnpricedFilter {
  /** The model that answered, or the one that was asked for. */
  readonly model: string | null;
  /** The name of the upstream. */
  readonly provider: string | null;
  /** Milliseconds since 1970, both inclusive. */
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

/** A request without a complete price. The first five fields are the key of its row in `cost_daily`. */
export interface UnpricedRequest {
  readonly day: string;
  readonly keyId: string;
  readonly model: string;
  readonly endpoint: string;
  readonly provider: string;
  readonly id: string;
  readonly at: Date;
  readonly baseUrl: string | null;
  /** Nano-dollars that are already in the sums. Null without any price. */
  readonly nanos: string | null;
  readonly report: UnpricedUsageReport;
}

export interface RecomputedRequest {
  readonly request: UnpricedRequest;
  readonly nanos: bigint;
  /** As in request logs. */
  readonly cost: object;
}

/** Requests that wait for a price. Each has a part in `cost_daily`, which changes in the transaction that deletes the request. */
@Injectable()
export class UnpricedStore {
  /** Makes recomputations wait for each other, so that each sees what the others have left. */
  async lock(transaction: Transaction): Promise<void> {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('recompute-costs', 0))`);
  }

  /** Locks the next requests in the order of their IDs. @param afterId of the last request before them; null at the start */
  take(
    transaction: Transaction,
    filter: UnpricedFilter,
    afterId: string | null,
    count: number,
  ): Promise<UnpricedRequest[]> {
    const { model, provider, sinceMs, untilMs } = filter;
    const values = [model, provider, isoOf(sinceMs), isoOf(untilMs), afterId, count];
    return transaction.query<UnpricedRequest[]>(TAKE, values);
  }

  /** Moves requests from the unpriced ones to the costs of their days, and updates their logs. */
  async settle(transaction: Transaction, settled: readonly RecomputedRequest[]): Promise<void> {
    await transaction.query('delete from unpriced_usage where id = any($1::uuid[])', [
      settled.map(({ request }) => request.id),
    ]);
    const sums = JSON.stringify(sumsOf(settled));
    // Two statements: the second one reads the rows as they are once they are locked.
    await transaction.query(LOCK_DAYS, [sums]);
    await transaction.query(ADD_TO_DAYS, [sums]);
    const logs = JSON.stringify(settled.map(logOf));
    for (const table of ['request_logs', 'request_refusals']) await transaction.query(updateLogs(table), [logs]);
  }

  /** Replaces the figures in the audit row of a recomputation, in the transaction of the changes that they count. */
  async updateAudit(transaction: Transaction, runId: string, figures: object): Promise<void> {
    await transaction.query(
      `update audit_logs set metadata = metadata || $2::jsonb where target_id = $1 and action = 'costs.recomputed'`,
      [runId, JSON.stringify(figures)],
    );
  }
}

const TAKE = `
select day::text, key_id as "keyId", model, endpoint, provider, id, at, base_url as "baseUrl", cost_nanos as nanos, usage as report
  from unpriced_usage
 where ($1::text is null or answered_model = $1 or model = $1) and ($2::text is null or provider = $2)
   and ($3::timestamptz is null or at >= $3) and ($4::timestamptz is null or at <= $4)
   and ($5::uuid is null or id > $5)
 order by id
 limit $6
   for update`;

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

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const logOf = ({ request: { id }, nanos, cost }: RecomputedRequest): object => ({
  ...{ id, created_at: isoOf(timeOfRequestId(id)), cost_nanos: String(nanos), cost },
});

/** The changes to rows of `cost_daily`, which already contain parts of the amounts. */
function sumsOf(settled: readonly RecomputedRequest[]): object[] {
  const rows = new Map<string, { requests: number; nanos: bigint; readonly key: object }>();
  for (const { request, nanos } of settled) {
    const { day, keyId, model, endpoint, provider } = request;
    const name = JSON.stringify([day, keyId, model, endpoint, provider]);
    let row = rows.get(name);
    if (row === undefined)
      rows.set(name, (row = { requests: 0, nanos: 0n, key: { day, key_id: keyId, model, endpoint, provider } }));
    row.requests += 1;
    row.nanos += nanos - BigInt(request.nanos ?? 0);
  }
  // A JSON number above 2^53 would be rounded.
  return [...rows.values()].map(({ key, requests, nanos }) => ({ ...key, requests, nanos: String(nanos) }));
}
