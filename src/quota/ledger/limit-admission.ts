import type { Client } from 'pg';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { LimitClaim, ReservedClaim } from '../limit-claims.js';
import { overLimitOf, withClaim, type SeenLimit } from '../seen-limit.rules.js';
import type { AdmitEntry, AdmitResult, ClaimedResult } from '../verdict.rules.js';
import { admissionKey, type Batch } from './key-admission.js';
import { claimedRequests, claimedSums, linesOf } from './limit-batch-sums.rules.js';
import {
  bigintsOf,
  listOf,
  numbersOf,
  rowOfLists,
  rowsOf,
  run,
  textsOf,
  type StatementText,
  type TextRow,
} from './prepared-statement.js';
import type { LimitLine } from './unreconciled-changes.js';

const ADMIT: StatementText = { name: 'limits-admit', text: sqlFile(import.meta.url, './admit-limited-batch.sql') };
/** Separate, because a single request is the usual batch and takes 0.06 ms less. */
const ADMIT_ONE: StatementText = {
  name: 'limits-admit-one',
  text: sqlFile(import.meta.url, './admit-limited-request.sql'),
};

interface LimitedResults {
  readonly keys: Map<string, AdmitResult>;
  readonly limits: ReadonlyMap<number, SeenLimit>;
  /** The instant of the batch, in microseconds since 1970. */
  readonly atUs: number;
  readonly lines: readonly LimitLine[];
}

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
  return outcome === 'stale' ? outcome : resultsIn(row, { entries, requests, limitIds });
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
    ...batchValues(batch),
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
    ...batchValues(batch),
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

const batchValues = ({ writerId, number, setVersion }: Batch): string[] => [writerId, number, String(setVersion)];

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

interface AskedBatch {
  readonly entries: readonly AdmitEntry[];
  readonly requests: ReturnType<typeof claimedRequests>;
  readonly limitIds: readonly number[];
}

/** Reads the row of both statements: outcome, time, ten columns by key after their IDs, five by limit, and three by rejected request. */
function resultsIn(row: TextRow, { entries, requests, limitIds }: AskedBatch): LimitedResults {
  const nowMs = Math.floor(Number(row[1]));
  const limits = figuresIn(row.slice(13, 18), limitIds);
  const rejections = rejectionsIn(row.slice(18));
  const claimed = new Map<string, ClaimedResult[]>();
  for (const [i, { key, items }] of requests.entries()) {
    const { keyId } = entries[key]!;
    const result = claimedResult(items, rejections.get(i + 1), limits, limitIds);
    const ofKey = claimed.get(keyId);
    if (ofKey === undefined) claimed.set(keyId, [result]);
    else ofKey.push(result);
  }
  const keys = new Map<string, AdmitResult>(entries.map(({ keyId }) => [keyId, { kind: 'unknown' }]));
  for (const [keyId, result] of keyResultsIn(row.slice(2, 13), nowMs, claimed)) keys.set(keyId, result);
  return { keys, limits, lines: linesOf(claimedSums(requests, rejections), periodsIn(limits)), atUs: nowMs * 1000 };
}

/** Figures can exceed 2^53. */
function figuresIn(columns: TextRow, limitIds: readonly number[]): Map<number, SeenLimit> {
  const periods = numbersOf(columns[0]);
  const [used = [], held = [], amount = [], overdraft = []] = columns.slice(1).map(bigintsOf);
  return new Map(
    limitIds.map((limitId, i) => [
      limitId,
      {
        period: periods[i] ?? null,
        amount: amount[i] ?? null,
        used: used[i] ?? 0n,
        held: held[i] ?? 0n,
        overdraft: overdraft[i] ?? 0n,
      },
    ]),
  );
}

interface Rejection {
  /** The position of the limit, starting at 1, or 0 for the key's own limits. */
  readonly by: number;
  readonly untilMs: number | null;
}

/** By number of the request, from 1. */
function rejectionsIn(columns: TextRow): ReadonlyMap<number, Rejection> {
  const [rejected = [], by = [], until = []] = columns.map(numbersOf);
  return new Map(rejected.map((number, i) => [number!, { by: by[i]!, untilMs: until[i] ?? null }]));
}

/** @param limits the figures before the request, to which its claims are added if it was admitted */
function claimedResult(
  items: readonly LimitClaim[],
  rejection: Rejection | undefined,
  limits: Map<number, SeenLimit>,
  limitIds: readonly number[],
): ClaimedResult {
  if (rejection === undefined) return { kind: 'admitted', reserved: items.map((claim) => reserve(claim, limits)) };
  if (rejection.by === 0) return { kind: 'rejected' };
  const limitId = limitIds[rejection.by - 1]!;
  const claim = items.find((item) => item.limitId === limitId)!;
  return { kind: 'over-limit', over: overLimitOf(limits.get(limitId)!, claim, rejection.untilMs) };
}

function reserve(claim: LimitClaim, limits: Map<number, SeenLimit>): ReservedClaim {
  const seen = limits.get(claim.limitId)!;
  if (seen.period !== null) limits.set(claim.limitId, withClaim(seen, claim));
  return { ...claim, period: seen.period, servedAtUs: null };
}

function* keyResultsIn(
  [keyIds, ...columns]: TextRow,
  nowMs: number,
  claimed: ReadonlyMap<string, readonly ClaimedResult[]>,
): Iterable<readonly [keyId: string, result: AdmitResult]> {
  const figures = columns.map(numbersOf);
  for (const [i, keyId] of textsOf(keyIds).entries()) {
    const [version, minute, minuteUsed, day, dayUsed, month, monthUsed, tokens, additionalTokens, granted] =
      figures.map((column) => column[i] ?? null);
    if (granted === null) {
      yield [keyId, { kind: 'stale', version: version! }];
      continue;
    }
    const counts = {
      version: version!,
      nowMs,
      minute: minute!,
      minuteUsed: minuteUsed!,
      day: day!,
      dayUsed: dayUsed!,
      month: month!,
      monthUsed: monthUsed!,
      tokens: tokens!,
      additionalTokens: additionalTokens!,
    };
    const requests = claimed.get(keyId);
    yield [keyId, { kind: 'decided', granted: granted!, counts, ...(requests !== undefined && { requests }) }];
  }
}

const periodsIn = (limits: ReadonlyMap<number, SeenLimit>): ReadonlyMap<number, number> =>
  new Map([...limits].flatMap(([limitId, { period }]) => (period === null ? [] : [[limitId, period] as const])));
