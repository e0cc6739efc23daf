import type { AdmitEntry, ClaimedRequest } from '../verdict.rules.js';
import type { LimitLine } from './unreconciled-changes.js';

const NONE: ReadonlySet<number> = new Set();

interface ClaimedSum {
  asked: number;
  overdraft: number;
  readonly holds: boolean;
}

/** The requests to which limits apply, in order of arrival. The database numbers them from 1. */
export function claimedRequests(
  entries: readonly AdmitEntry[],
): readonly (ClaimedRequest & { readonly key: number })[] {
  const requests = entries.flatMap(({ requests = [] }, key) => requests.map((request) => ({ ...request, key })));
  return requests.sort((a, b) => a.order - b.order);
}

/** The sums that requests ask for under each limit. @param rejected numbers of the requests to leave out */
export function claimedSums(
  requests: readonly Pick<ClaimedRequest, 'items'>[],
  rejected: { has(number: number): boolean } = NONE,
): ReadonlyMap<number, ClaimedSum> {
  const sums = new Map<number, ClaimedSum>();
  for (const [i, { items }] of requests.entries()) {
    if (rejected.has(i + 1)) continue;
    for (const { limitId, asked, overdraft, holds } of items) {
      const sum = sums.get(limitId);
      if (sum === undefined) {
        sums.set(limitId, { asked, overdraft, holds });
      } else {
        sum.asked += asked;
        sum.overdraft += overdraft;
      }
    }
  }
  return sums;
}

/** The changes of a batch, by limit. Limits without a period are not active, or their period has ended. */
export function linesOf(
  sums: ReadonlyMap<number, ClaimedSum>,
  periods: ReadonlyMap<number, number>,
): readonly LimitLine[] {
  const lines: LimitLine[] = [];
  for (const [limitId, { asked, overdraft, holds }] of sums) {
    const period = periods.get(limitId);
    if (period === undefined) continue;
    lines.push({ limitId, period, freed: holds ? -asked : 0, spent: holds ? 0 : asked, overdraft: 0 - overdraft });
  }
  return lines;
}
