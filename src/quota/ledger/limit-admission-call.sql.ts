import type { Client } from 'pg';
import type { LimitClaim } from '../limit-claims.js';
import type { AdmitEntry } from '../quota-counts.js';
import { BATCH_COLUMNS, LimitBatchResult, type LimitedResults } from './limit-batch-result.js';
import { claimedRequests, claimedSums } from './limit-batch-sums.rules.js';
import { listOf, run, type StatementText, type TextRow } from './prepared-statement.js';

/**
 * Each key must occur only once.
 * @returns null if the batch was fenced, and `stale` if the set of limits has another version. Nothing was counted in both cases
 */
export async function admitLimited(
  client: Client,
  writerId: string,
  number: string,
  setVersion: number,
  given: readonly AdmitEntry[],
): Promise<LimitedResults | 'stale' | null> {
  const entries = given.length === 1 ? given : [...given].sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
  const requests = claimedRequests(entries);
  const call = { writerId, number, setVersion: String(setVersion) };
  const [first] = requests;
  const isOne = entries.length === 1 && requests.length === 1 && first!.items.length > 0;
  const { limitIds, row } = isOne
    ? await admitOne(client, call, entries[0]!, first!.items)
    : await admitBatch(client, call, entries, requests);
  const [outcome] = row ?? [];
  if (row === undefined || outcome === null || outcome === undefined) return null;
  if (outcome === 'stale') return outcome;
  return new LimitBatchResult(row, entries, limitIds).results(requests);
}

interface Call {
  readonly writerId: string;
  readonly number: string;
  readonly setVersion: string;
}

interface Called {
  /** Ascending, as in the result. */
  readonly limitIds: readonly number[];
  readonly row: TextRow | undefined;
}

async function admitOne(
  client: Client,
  { writerId, number, setVersion }: Call,
  entry: AdmitEntry,
  items: readonly LimitClaim[],
): Promise<Called> {
  const sorted = [...items].sort((a, b) => a.limitId - b.limitId);
  const { keyId, version, rpmLimit, rpdLimit, monthlyLimit, monthlyTokenLimit, tokenCounting } = entry;
  const [row] = await run(client, ADMIT_ONE, [
    writerId,
    number,
    setVersion,
    keyId,
    String(version),
    String(rpmLimit),
    String(rpdLimit),
    monthlyLimit === null ? null : String(monthlyLimit),
    monthlyTokenLimit === null ? null : String(monthlyTokenLimit),
    String(tokenCounting === 'all'),
    listOf(sorted.map(({ limitId }) => String(limitId))),
    listOf(sorted.map(({ asked }) => String(asked))),
    listOf(sorted.map(({ overdraft }) => String(overdraft))),
    listOf(items.map((item) => String(sorted.indexOf(item) + 1))),
    listOf(items.map(({ asked }) => String(asked))),
    listOf(items.map(({ overdraft }) => String(overdraft))),
  ]);
  return { limitIds: sorted.map(({ limitId }) => limitId), row };
}

async function admitBatch(
  client: Client,
  { writerId, number, setVersion }: Call,
  entries: readonly AdmitEntry[],
  requests: ReturnType<typeof claimedRequests>,
): Promise<Called> {
  const limits = [...claimedSums(requests)].sort(([a], [b]) => a - b);
  const places = new Map(limits.map(([limitId], i) => [limitId, i + 1]));
  const items = requests.flatMap((request) => request.items);
  const column = (of: (entry: AdmitEntry) => unknown): string => listOf(entries.map((entry) => String(of(entry))));
  const [row] = await run(client, ADMIT, [
    writerId,
    number,
    setVersion,
    column(({ keyId }) => keyId),
    column(({ version }) => version),
    column(({ count }) => count),
    column(({ rpmLimit }) => rpmLimit),
    column(({ rpdLimit }) => rpdLimit),
    column(({ monthlyLimit }) => monthlyLimit), // `null` is NULL in an array too
    column(({ monthlyTokenLimit }) => monthlyTokenLimit),
    column(({ tokenCounting }) => tokenCounting === 'all'),
    column((entry) => entry.requests !== undefined),
    listOf(limits.map(([limitId]) => String(limitId))),
    listOf(limits.map(([, { asked }]) => String(asked))),
    listOf(limits.map(([, { overdraft }]) => String(overdraft))),
    listOf(requests.map(({ key }) => String(key + 1))),
    listOf(requests.map((request) => String(request.items.length))),
    listOf(items.map(({ limitId }) => String(places.get(limitId)))),
    listOf(items.map(({ asked }) => String(asked))),
    listOf(items.map(({ overdraft }) => String(overdraft))),
  ]);
  return { limitIds: limits.map(([limitId]) => limitId), row };
}

/** The function is in `migrations/1790000023300-limit-admission-2.ts`. */
const ADMIT: StatementText = {
  name: 'limits-admit',
  text: `
select ${BATCH_COLUMNS.join(', ')}
  from limits_admit_2($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
};

/** The function is in `migrations/1790000023400-admit-one-request.ts`. */
const ADMIT_ONE: StatementText = {
  name: 'limits-admit-one',
  text: `
select ${BATCH_COLUMNS.join(', ')}
  from limits_admit_one_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
};
