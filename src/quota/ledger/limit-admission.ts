import type { Client } from 'pg';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { LimitClaim } from '../limit-claims.js';
import type { Batch } from './batch.js';
import { admissionKey } from './key-admission.js';
import { LimitBatchResult, type LimitedResults } from './limit-batch-result.js';
import { claimedRequests, claimedSums } from './limit-batch-sums.rules.js';
import { listOf, rowOfLists, rowsOf, run, type StatementText, type TextRow } from './prepared-statement.js';

const ADMIT: StatementText = { name: 'limits-admit', text: sqlFile(import.meta.url, './admit-limited-batch.sql') };
/** Separate, because a single request is the usual batch and takes 0.06 ms less. */
const ADMIT_ONE: StatementText = {
  name: 'limits-admit-one',
  text: sqlFile(import.meta.url, './admit-limited-request.sql'),
};

/** @returns null if the batch was fenced, and `stale` if the set of limits has another version. Nothing was counted in both cases */
export async function admitLimited(client: Client, batch: Batch): Promise<LimitedResults | 'stale' | null> {
  const entries =
    batch.entries.length === 1 ? batch.entries : [...batch.entries].sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
  const requests = claimedRequests(entries);
  const [first] = requests;
  const isOne = entries.length === 1 && requests.length === 1 && first!.items.length > 0;
  const sorted = { ...batch, entries };
  const { limitIds, row } = isOne
    ? await admitOne(client, sorted, first!.items)
    : await admitSeveral(client, sorted, requests);
  const [outcome] = row ?? [];
  if (row === undefined || outcome === null || outcome === undefined) return null;
  if (outcome === 'stale') return outcome;
  return new LimitBatchResult(row, entries, limitIds).results(requests);
}

interface Called {
  /** Ascending, as in the result. */
  readonly limitIds: readonly number[];
  readonly row: TextRow | undefined;
}

async function admitOne(client: Client, batch: Batch, items: readonly LimitClaim[]): Promise<Called> {
  const sorted = [...items].sort((a, b) => a.limitId - b.limitId);
  const places = items.map((item) => sorted.indexOf(item) + 1);
  const [row] = await run(client, ADMIT_ONE, [
    ...head(batch),
    admissionKey(batch.entries[0]!),
    numbers(sorted, ({ limitId }) => limitId),
    numbers(sorted, ({ asked }) => asked),
    numbers(sorted, ({ overdraft }) => overdraft),
    requestsOf([{ key: 0, items }], places),
  ]);
  return { limitIds: sorted.map(({ limitId }) => limitId), row };
}

async function admitSeveral(client: Client, batch: Batch, requests: readonly PlacedRequest[]): Promise<Called> {
  const limits = [...claimedSums(requests)].sort(([a], [b]) => a - b);
  const places = new Map(limits.map(([limitId], i) => [limitId, i + 1]));
  const [row] = await run(client, ADMIT, [
    ...head(batch),
    rowsOf(batch.entries.map(admissionKey)),
    numbers(limits, ([limitId]) => limitId),
    numbers(limits, ([, { asked }]) => asked),
    numbers(limits, ([, { overdraft }]) => overdraft),
    requestsOf(
      requests,
      requests.flatMap(({ items }) => items.map(({ limitId }) => places.get(limitId)!)),
    ),
  ]);
  return { limitIds: limits.map(([limitId]) => limitId), row };
}

const head = ({ writerId, number, setVersion }: Batch): string[] => [writerId, number, String(setVersion)];

interface PlacedRequest {
  /** The place of the key in the batch, from 0. */
  readonly key: number;
  readonly items: readonly LimitClaim[];
}

/** A value of the database's type `limit_requests`. @param places the place of each claim's limit, from 1 */
function requestsOf(requests: readonly PlacedRequest[], places: readonly number[]): string {
  const items = requests.flatMap((request) => request.items);
  return rowOfLists([
    numbers(requests, ({ key }) => key + 1),
    numbers(requests, (request) => request.items.length),
    numbers(places, (place) => place),
    numbers(items, ({ asked }) => asked),
    numbers(items, ({ overdraft }) => overdraft),
  ]);
}

const numbers = <T>(from: readonly T[], of: (one: T) => number): string => listOf(from.map((one) => String(of(one))));
