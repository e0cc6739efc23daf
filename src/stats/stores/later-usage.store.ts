import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { COUNTED_KINDS, type UsageKind } from '../../costs/usage-kinds.data.js';
import { unpricedRequestsIn, type UnpricedPart, type UnpricedRequest } from '../../costs/unpriced-usage.js';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { Transaction } from '../../platform/database/transactions.js';
import { timeOfRequestId } from '../../platform/request-context/request-id.js';
import { isoTimestamp } from '../../platform/validation/timestamp.js';
import { monthOf } from '../../quota/utc-windows.rules.js';

const FIND = sqlFile(import.meta.url, './find-waiting-requests.sql');
const LOCK = sqlFile(import.meta.url, './lock-waiting-request.sql');
const RELEASE = sqlFile(import.meta.url, './release-waiting-request.sql');
const ADD_TO_MONTH = sqlFile(import.meta.url, './add-later-months.sql');
const ADD_TO_DAY = sqlFile(import.meta.url, './add-later-days.sql');
const ADD_TO_COSTS = sqlFile(import.meta.url, './add-later-costs.sql');
const LOG = sqlFile(import.meta.url, './log-later-usage.sql');

/** An object at an upstream. */
export interface ObjectName {
  readonly provider: string;
  readonly objectId: string;
}

/** A request whose usage arrives in a later response. */
export interface WaitingRequest {
  readonly id: string;
  readonly day: string;
  readonly keyId: string;
  readonly model: string;
  readonly endpoint: string;
  readonly provider: string;
  readonly models: readonly string[];
  readonly baseUrl: string | null;
  readonly request: UnpricedRequest;
}

/** The changes to a request whose usage has become known. All figures are differences, except those of its log. */
export interface SettledUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly additionalTokens: number;
  readonly nanos: bigint;
  readonly units: Readonly<Partial<Record<UsageKind, number>>>;
  /** Null if the request has a complete price. */
  readonly unpriced: { readonly model: string; readonly models: readonly string[]; readonly part: UnpricedPart } | null;
  readonly log: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly nanos: bigint | null;
    readonly cost: object;
  };
}

/** Requests whose usage arrives later. Each is a row of `unpriced_batches`, which is removed in the transaction that adds its usage. */
@Injectable()
export class LaterUsageStore {
  constructor(private readonly source: DataSource) {}

  /** Returns those of the objects for which a request waits. */
  waiting(objects: readonly ObjectName[]): Promise<ObjectName[]> {
    const rows = objects.map(({ provider, objectId }) => ({ provider, object_id: objectId }));
    return this.source.query<ObjectName[]>(FIND, [JSON.stringify(rows)]);
  }

  /** Null if another process has settled the request. */
  async lock(transaction: Transaction, { provider, objectId }: ObjectName): Promise<WaitingRequest | null> {
    const [row] = await transaction.query<(WaitingRequest & { items: readonly unknown[] })[]>(LOCK, [
      provider,
      objectId,
    ]);
    if (row === undefined) return null;
    const { items, ...waiting } = row;
    return { ...waiting, request: unpricedRequestsIn(items)[0]! };
  }

  /**
   * Adds the usage. It writes the tables in the order of `UsageStore`, so that there are no deadlocks.
   *
   * @returns false if the log of the request is not written yet
   */
  async settle(transaction: Transaction, waiting: WaitingRequest, settled: SettledUsage): Promise<boolean> {
    const { id, day, keyId, model, endpoint, provider, request } = waiting;
    const { inputTokens, outputTokens, additionalTokens, nanos, units, unpriced, log } = settled;
    if (unpriced === null) await transaction.query('delete from unpriced_batches where id = $1', [id]);
    else {
      const { part } = unpriced;
      const columns = [unpriced.model, unpriced.models, JSON.stringify(part.units), part.items];
      await transaction.query(RELEASE, [id, ...columns]);
    }
    const month = monthOf(Date.parse(day));
    await transaction.query(ADD_TO_MONTH, [keyId, month, inputTokens, outputTokens, additionalTokens]);
    await transaction.query(ADD_TO_DAY, [keyId, day, model, inputTokens, outputTokens]);
    const counts = Object.fromEntries(COUNTED_KINDS.map((kind) => [kind, units[kind] ?? 0]));
    const sums = { cost_nanos: String(nanos), unpriced_requests: unpriced === null ? -1 : 0, ...counts };
    const row = { day, key_id: keyId, model, endpoint, provider, ...sums };
    await transaction.query(ADD_TO_COSTS, [JSON.stringify(row)]);
    if (request.logId === null) return true;
    const at = isoTimestamp(timeOfRequestId(request.logId));
    const cost = [log.nanos === null ? null : String(log.nanos), JSON.stringify(log.cost)];
    const [{ logs }] = await transaction.query<[{ logs: number }]>(LOG, [
      request.logId,
      at,
      log.inputTokens,
      log.outputTokens,
      ...cost,
    ]);
    return logs > 0;
  }
}
