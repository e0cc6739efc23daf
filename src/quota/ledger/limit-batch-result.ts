import type { LimitClaim, OverLimit, ReservedClaim } from '../limit-claims.js';
import type { AdmitEntry, AdmitResult, ClaimedResult, StoredCounts } from '../quota-counts.js';
import { overLimitOf, withClaim, type SeenLimit } from '../seen-limit.rules.js';
import { claimedSums, linesOf, type claimedRequests } from './limit-batch-sums.rules.js';
import { bigintsOf, numbersOf, textsOf, type TextRow } from './prepared-statement.js';
import type { LimitLine } from './unreconciled-limits.js';

export interface LimitedResults {
  readonly keys: Map<string, AdmitResult>;
  /** The figures after the batch. */
  readonly limits: ReadonlyMap<number, SeenLimit>;
  /** The instant of the batch, in microseconds since 1970. */
  readonly atUs: number;
  readonly lines: readonly LimitLine[];
}

/** As `admit-limited-batch.sql` and `admit-limited-request.sql` return them. */
const BATCH_COLUMNS = [
  'outcome',
  'now_ms',
  'o_key',
  'o_version',
  'o_m',
  'o_mu',
  'o_d',
  'o_du',
  'o_mo',
  'o_mou',
  'o_tokens',
  'o_additional',
  'o_granted',
  'o_period',
  'o_used',
  'o_held',
  'o_amount',
  'o_overdraft',
  'o_refused',
  'o_refused_by',
  'o_until',
];

interface LimitRefusal {
  /** The place of the limit from 1, or 0 for the key's own limits. */
  readonly by: number;
  readonly untilMs: number | null;
}

export class LimitBatchResult {
  private readonly columns: Readonly<Record<string, readonly (number | null)[]>>;
  /** These can exceed 2^53. */
  private readonly figures: Readonly<Record<'used' | 'held' | 'amount' | 'overdraft', readonly (bigint | null)[]>>;
  private readonly keyIds: readonly string[];
  private readonly nowMs: number;
  private readonly seen: Map<number, SeenLimit>;
  private readonly refusals: ReadonlyMap<number, LimitRefusal>;

  constructor(
    row: TextRow,
    private readonly entries: readonly AdmitEntry[],
    private readonly limitIds: readonly number[],
  ) {
    const [, now, keyIds] = row;
    this.nowMs = Math.floor(Number(now));
    this.keyIds = textsOf(keyIds);
    this.columns = Object.fromEntries(BATCH_COLUMNS.map((name, i) => [name, i < 3 ? [] : numbersOf(row[i])]));
    const bigintsAt = (name: string) => bigintsOf(row[BATCH_COLUMNS.indexOf(name)]);
    this.figures = {
      used: bigintsAt('o_used'),
      held: bigintsAt('o_held'),
      amount: bigintsAt('o_amount'),
      overdraft: bigintsAt('o_overdraft'),
    };
    this.seen = new Map(limitIds.map((limitId, i) => [limitId, this.seenAt(i)]));
    this.refusals = new Map(this.column('o_refused').map((number, i) => [number!, this.refusalAt(i)]));
  }

  results(requests: ReturnType<typeof claimedRequests>): LimitedResults {
    const byKey = new Map<string, ClaimedResult[]>();
    for (const [i, { key, items }] of requests.entries()) {
      const { keyId } = this.entries[key]!;
      const results = byKey.get(keyId) ?? [];
      byKey.set(keyId, results);
      results.push(this.claimedResultOf(i + 1, items));
    }
    const lines = linesOf(claimedSums(requests, this.refusals), this.periods());
    const keys = new Map<string, AdmitResult>(this.entries.map(({ keyId }) => [keyId, { kind: 'unknown' }]));
    for (const [i, keyId] of this.keyIds.entries()) keys.set(keyId, this.resultOf(i, byKey.get(keyId)));
    return { keys, limits: this.seen, lines, atUs: this.nowMs * 1000 };
  }

  private resultOf(i: number, requests: readonly ClaimedResult[] | undefined): AdmitResult {
    const granted = this.at('o_granted', i);
    if (granted === null) return { kind: 'stale', version: this.at('o_version', i)! };
    return { kind: 'decided', granted, counts: this.countsOf(i), ...(requests !== undefined && { requests }) };
  }

  private claimedResultOf(at: number, items: readonly LimitClaim[]): ClaimedResult {
    const refusal = this.refusals.get(at);
    if (refusal === undefined) return { kind: 'admitted', reserved: items.map((claim) => this.reserve(claim)) };
    return refusal.by === 0 ? { kind: 'refused' } : { kind: 'over-limit', over: this.overLimit(items, refusal) };
  }

  private reserve(claim: LimitClaim): ReservedClaim {
    const { limitId } = claim;
    const seen = this.seen.get(limitId)!;
    const { period } = seen;
    if (period !== null) this.seen.set(limitId, withClaim(seen, claim));
    return { ...claim, period, servedAtUs: null };
  }

  private refusalAt(i: number): LimitRefusal {
    return { by: this.at('o_refused_by', i)!, untilMs: this.at('o_until', i) };
  }

  private overLimit(items: readonly LimitClaim[], { by, untilMs }: LimitRefusal): OverLimit {
    const limitId = this.limitIds[by - 1]!;
    return overLimitOf(
      this.seen.get(limitId)!,
      items.find((item) => item.limitId === limitId)!,
      untilMs,
    );
  }

  private periods(): ReadonlyMap<number, number> {
    return new Map(
      [...this.seen].flatMap(([limitId, { period }]) => (period === null ? [] : [[limitId, period] as const])),
    );
  }

  private countsOf(i: number): StoredCounts {
    const figure = (column: string): number => this.at(column, i)!;
    return {
      version: figure('o_version'),
      nowMs: this.nowMs,
      tokens: figure('o_tokens'),
      additionalTokens: figure('o_additional'),
      minute: figure('o_m'),
      minuteUsed: figure('o_mu'),
      day: figure('o_d'),
      dayUsed: figure('o_du'),
      month: figure('o_mo'),
      monthUsed: figure('o_mou'),
    };
  }

  private seenAt(i: number): SeenLimit {
    return {
      period: this.at('o_period', i),
      amount: this.figures.amount[i] ?? null,
      used: this.figures.used[i] ?? 0n,
      held: this.figures.held[i] ?? 0n,
      overdraft: this.figures.overdraft[i] ?? 0n,
    };
  }

  private column(name: string): readonly (number | null)[] {
    return this.columns[name]!;
  }

  private at(name: string, i: number): number | null {
    return this.columns[name]![i] ?? null;
  }
}
