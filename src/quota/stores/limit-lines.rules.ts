import type { AdmitEntry, AdmitResult, ClaimedRequest } from '../quota-counts.js';
import type { LimitLine } from './unreconciled-limits.js';

interface ClaimedSum {
  asked: number;
  readonly holds: boolean;
}

/** The requests of all limited keys, in order of arrival. The database numbers them from 1. */
export function claimedRequests(
  entries: readonly AdmitEntry[],
): readonly (ClaimedRequest & { readonly key: number })[] {
  const requests = entries.flatMap(({ requests = [] }, key) => requests.map((request) => ({ ...request, key })));
  return requests.sort((a, b) => a.order - b.order);
}

/** The sums of what requests ask of each limit. @param refused numbers of the requests to leave out */
export function claimedSums(
  entries: readonly AdmitEntry[],
  refused: readonly number[] | null,
): ReadonlyMap<number, ClaimedSum> {
  const sums = new Map<number, ClaimedSum>();
  const left = new Set(refused);
  for (const [i, { items }] of claimedRequests(entries).entries()) {
    if (left.has(i + 1)) continue;
    for (const { limitId, asked, holds } of items) {
      const sum = sums.get(limitId);
      if (sum === undefined) sums.set(limitId, { asked, holds });
      else sum.asked += asked;
    }
  }
  return sums;
}

/** The numbers of the requests that a batch refused. */
export function refusedRequests(
  entries: readonly AdmitEntry[],
  answers: ReadonlyMap<string, AdmitResult>,
): readonly number[] {
  const next = new Map<string, number>();
  const refused: number[] = [];
  for (const [i, { key }] of claimedRequests(entries).entries()) {
    const { keyId } = entries[key]!;
    const nth = next.get(keyId) ?? 0;
    next.set(keyId, nth + 1);
    const answer = answers.get(keyId);
    const isAdmitted = answer?.kind === 'decided' && answer.requests?.[nth]?.kind === 'admitted';
    if (!isAdmitted) refused.push(i + 1);
  }
  return refused;
}

/** The changes of a batch, by limit. Limits without a period are not active, or have ended the period. */
export function linesOf(
  sums: ReadonlyMap<number, ClaimedSum>,
  periods: ReadonlyMap<number, number>,
): readonly LimitLine[] {
  const lines: LimitLine[] = [];
  for (const [limitId, { asked, holds }] of sums) {
    const period = periods.get(limitId);
    if (period !== undefined) lines.push({ limitId, period, freed: holds ? -asked : 0, spent: holds ? 0 : asked });
  }
  return lines;
}
