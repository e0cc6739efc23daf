import { hash } from 'node:crypto';
import type { Candidate } from '../../model-policy/upstream-candidates.service.js';
import type { PressureStatus } from '../upstream-pressure.js';

/** Upstreams with the lowest rank come first. */
export interface Ranking {
  /** Null if it is unknown. */
  of(candidate: Candidate): number | null;
  /** The ranks come from requests, so a few requests go to another candidate than the first. */
  readonly explores: boolean;
}

export interface OrderInputs {
  /** Requests with the same text prefer the same upstream. Null if the route is not sticky. */
  readonly stickyKey: string | null;
  /** Null if the route lists its upstreams in order or with weights. */
  readonly ranking: Ranking | null;
  /** From 0 to 1. See `UpstreamPressure`. */
  shareOf(candidate: Candidate): number;
  statusOf(candidate: Candidate): PressureStatus;
  /** The circuit breaker is open and no probe is due, or no connection is free. */
  isBlocked(candidate: Candidate): boolean;
  /** From 0 up to, but not including, 1. */
  random(): number;
}

/**
 * Orders the candidates of one request. The route decides the order: as listed, by weight, by rank, or by a hash for sticky requests.
 * A candidate that should get fewer requests then moves to the end, with a probability of one minus its share. It is still used if
 * no other candidate can serve the request.
 */
export function orderCandidates(candidates: readonly Candidate[], inputs: OrderInputs): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const first: Candidate[] = [];
  const last: Candidate[] = [];
  for (const candidate of preferred(candidates, inputs)) {
    const share = inputs.isBlocked(candidate) ? 0 : inputs.shareOf(candidate);
    if (share >= 1 || inputs.random() < share) first.push(candidate);
    else last.push(candidate);
  }
  if (last.length > 1) last.sort((a, b) => LAST_RANK[inputs.statusOf(a)] - LAST_RANK[inputs.statusOf(b)]);
  return first.length === 0 ? last : [...first, ...last];
}

/** A limit can end at any time, and a refused request moves on. A request at a failing upstream might not. */
const LAST_RANK: Readonly<Record<PressureStatus, number>> = { ready: 0, limited: 0, refused: 1, failing: 2 };

function preferred(candidates: readonly Candidate[], inputs: OrderInputs): readonly Candidate[] {
  const { stickyKey, ranking, random } = inputs;
  if (ranking !== null) return ranked(candidates, ranking, random);
  const isWeighted = candidates.some(({ weight }) => weight !== null);
  if (!isWeighted && stickyKey === null) return candidates;
  // The smallest of these keys belongs to each candidate with a probability in proportion to its weight. With a hash in place
  // of the random number, a request moves only if its own upstream is removed.
  return candidates
    .map((candidate) => {
      const point = stickyKey === null ? 1 - random() : pointOf(stickyKey, candidate.upstream.name);
      return { candidate, key: -Math.log(point) / (candidate.weight ?? 1) };
    })
    .sort((a, b) => a.key - b.key)
    .map(({ candidate }) => candidate);
}

/** The share of requests that measure a candidate without a rank, and another than the first if all have one. */
const MEASURING_SHARE = 0.5;
const EXPLORING_SHARE = 0.1;

/** Candidates without a rank come last, in their order. */
function ranked(candidates: readonly Candidate[], ranking: Ranking, random: () => number): readonly Candidate[] {
  const ranks = candidates.map((candidate) => ({ candidate, rank: ranking.of(candidate) ?? Number.MAX_VALUE }));
  ranks.sort((a, b) => a.rank - b.rank);
  const ordered = ranks.map(({ candidate }) => candidate);
  if (!ranking.explores) return ordered;
  const unknown = ranks.filter(({ rank }) => rank === Number.MAX_VALUE).map(({ candidate }) => candidate);
  if (random() >= (unknown.length > 0 ? MEASURING_SHARE : EXPLORING_SHARE)) return ordered;
  const others = unknown.length > 0 ? unknown : ordered.slice(1);
  const explored = others[Math.floor(random() * others.length)]!;
  return [explored, ...ordered.filter((candidate) => candidate !== explored)];
}

/** Above 0, up to 1 */
const pointOf = (stickyKey: string, upstream: string): number =>
  (hash('sha256', `${upstream}\0${stickyKey}`, 'buffer').readUInt32BE(0) + 1) / 2 ** 32;
