import { hash } from 'node:crypto';
import type { Candidate } from '../../model-policy/upstream-candidates.service.js';

export interface OrderInputs {
  /** Requests with the same text prefer the same upstream. Null if the route is not sticky. */
  readonly stickyKey: string | null;
  /** From 0 to 1. See `UpstreamPressure`. */
  shareOf(candidate: Candidate): number;
  /** The circuit breaker is open and no probe is due, or no connection is free. */
  isBlocked(candidate: Candidate): boolean;
  /** From 0 up to, but not including, 1. */
  random(): number;
}

/**
 * Orders the candidates of one request. The route decides the order: as listed, by weight, or by a hash for sticky requests.
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
  return first.length === 0 ? last : [...first, ...last];
}

function preferred(candidates: readonly Candidate[], { stickyKey, random }: OrderInputs): readonly Candidate[] {
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

/** Above 0, up to 1 */
const pointOf = (stickyKey: string, upstream: string): number =>
  (hash('sha256', `${upstream}\0${stickyKey}`, 'buffer').readUInt32BE(0) + 1) / 2 ** 32;
