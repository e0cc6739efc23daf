import { describe, expect, test } from '@jest/globals';
import type { Candidate } from '../../../src/model-policy/upstream-candidates.service.js';
import { matchesPattern } from '../../../src/platform/validation/model-pattern.rules.js';
import { orderCandidates, type OrderInputs } from '../../../src/upstream/routing/candidate-order.rules.js';

const candidate = (name: string, weight: number | null = null) =>
  ({ upstream: { name }, model: 'm', weight, repeatSent: false }) as unknown as Candidate;

/** Mulberry32: the same numbers in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const inputs = (given: Partial<OrderInputs> = {}): OrderInputs => ({
  stickyKey: null,
  ranking: null,
  shareOf: () => 1,
  statusOf: () => 'ready',
  isBlocked: () => false,
  random: seeded(1),
  ...given,
});
const names = (candidates: readonly Candidate[]) => candidates.map(({ upstream }) => upstream.name);

/** How often each upstream is the first. */
function firsts(
  candidates: readonly Candidate[],
  runs: number,
  given: (run: number) => Partial<OrderInputs>,
): Record<string, number> {
  const counts: Record<string, number> = Object.fromEntries(candidates.map(({ upstream }) => [upstream.name, 0]));
  for (let run = 0; run < runs; run++) counts[names(orderCandidates(candidates, inputs(given(run))))[0]!]! += 1;
  return counts;
}

const PLAIN = [candidate('a'), candidate('b'), candidate('c')];
const RUNS = 20_000;

describe('the order of the upstreams of a request', () => {
  test('the order is that of the file without weights', () => {
    expect(names(orderCandidates(PLAIN, inputs()))).toEqual(['a', 'b', 'c']);
  });

  test.each([[[1, 1, 1]], [[3, 1, 1]], [[0.5, 0.25, 4]], [[1000, 1, 1]]])(
    'the order follows the weights %j',
    (weights) => {
      const random = seeded(7);
      const weighted = ['a', 'b', 'c'].map((name, at) => candidate(name, weights[at]));
      const counts = firsts(weighted, RUNS, () => ({ random }));
      const total = weights.reduce((sum, weight) => sum + weight);
      for (const [at, name] of ['a', 'b', 'c'].entries())
        expect(Math.abs(counts[name]! / RUNS - weights[at]! / total)).toBeLessThan(0.02);
    },
  );

  test('the order lists each upstream once, regardless of the shares', () => {
    const random = seeded(3);
    for (let run = 0; run < 2_000; run++) {
      const weighted = PLAIN.map(({ upstream }) => candidate(upstream.name, 1 + random() * 9));
      const given = {
        random,
        shareOf: () => random() * 1.2,
        isBlocked: () => random() < 0.3,
        stickyKey: run % 2 ? `${run}` : null,
      };
      expect(names(orderCandidates(run % 3 ? weighted : PLAIN, inputs(given))).sort()).toEqual(['a', 'b', 'c']);
    }
  });

  test('the order moves a share of the requests to the next upstream', () => {
    const random = seeded(5);
    const counts = firsts(PLAIN, RUNS, () => ({
      random,
      shareOf: ({ upstream }) => (upstream.name === 'a' ? 0.25 : 1),
    }));
    expect(Math.abs(counts['a']! / RUNS - 0.25)).toBeLessThan(0.02);
    expect(counts['c']).toBe(0);
  });

  test('the order puts blocked upstreams last, and does not change if all are blocked', () => {
    expect(names(orderCandidates(PLAIN, inputs({ isBlocked: ({ upstream }) => upstream.name !== 'c' })))).toEqual([
      'c',
      'a',
      'b',
    ]);
    expect(names(orderCandidates(PLAIN, inputs({ isBlocked: () => true })))).toEqual(['a', 'b', 'c']);
    expect(names(orderCandidates(PLAIN, inputs({ shareOf: () => 0 })))).toEqual(['a', 'b', 'c']);
  });
});

describe('sticky requests', () => {
  const firstOf = (candidates: readonly Candidate[], stickyKey: string) =>
    names(orderCandidates(candidates, inputs({ stickyKey })))[0]!;
  const KEYS = Array.from({ length: 3_000 }, (_, at) => `key-${at}`);

  test('sticky requests with the same key prefer the same upstream', () => {
    for (const key of KEYS.slice(0, 100))
      expect(new Set(Array.from({ length: 5 }, () => firstOf(PLAIN, key))).size).toBe(1);
  });

  test('sticky requests are spread evenly without weights, and in proportion to weights', () => {
    const counts = firsts(PLAIN, KEYS.length, (run) => ({ stickyKey: KEYS[run]! }));
    for (const count of Object.values(counts)) expect(Math.abs(count / KEYS.length - 1 / 3)).toBeLessThan(0.04);
    const weighted = firsts([candidate('a', 3), candidate('b', 1)], KEYS.length, (run) => ({ stickyKey: KEYS[run]! }));
    expect(Math.abs(weighted['a']! / KEYS.length - 0.75)).toBeLessThan(0.04);
  });

  test('sticky requests move only if their own upstream is removed', () => {
    for (const key of KEYS) {
      const before = firstOf(PLAIN, key);
      if (before !== 'b') expect(firstOf([PLAIN[0]!, PLAIN[2]!], key)).toBe(before);
    }
  });
});

describe('patterns of routes', () => {
  test.each([
    ['gpt-4o', 'gpt-4o', true],
    ['gpt-4o', 'gpt-4o-mini', false],
    ['gpt-*', 'gpt-', true],
    ['*', '', true],
    ['*-mini', 'gpt-4o-mini', true],
    ['*-mini', 'gpt-4o-mini-x', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['a*b*c', 'aXbYc', true],
    ['a*b*c', 'acb', false],
    ['ft:*:acme:*', 'ft:gpt-4o:acme:x:1', true],
    ['**', 'x', true],
    ['gpt.*', 'gptx', false],
    ['GPT*', 'gpt', false],
    ['*日本*', 'a日本b', true],
  ])('%s and %s: %s', (pattern, model, matches) => {
    expect(matchesPattern(pattern, model)).toBe(matches);
  });

  test('a hostile pattern and model end', () => {
    // Exponential time would never end.
    expect(matchesPattern('*a'.repeat(100) + 'b', 'a'.repeat(200))).toBe(false);
  });

  const ranking = (ranks: Readonly<Record<string, number>>, explores = false) => ({
    of: ({ upstream }: Candidate) => ranks[upstream.name] ?? null,
    explores,
  });

  test('a ranking lists the lowest rank first, equal ranks as in the file, and unknown ranks last', () => {
    const orderOf = (ranks: Readonly<Record<string, number>>) =>
      names(orderCandidates(PLAIN, inputs({ ranking: ranking(ranks) })));
    expect(orderOf({ a: 3, b: 1, c: 2 })).toEqual(['b', 'c', 'a']);
    expect(orderOf({ a: 2, b: 1, c: 1 })).toEqual(['b', 'c', 'a']);
    expect(orderOf({ c: 5 })).toEqual(['c', 'a', 'b']);
    expect(orderOf({})).toEqual(['a', 'b', 'c']);
  });

  test('an unhealthy upstream comes last although it has the lowest rank', () => {
    const shareOf = ({ upstream }: Candidate) => (upstream.name === 'a' ? 0 : 1);
    const given = { ranking: ranking({ a: 1, b: 2, c: 3 }), shareOf };
    expect(names(orderCandidates(PLAIN, inputs(given)))).toEqual(['b', 'c', 'a']);
  });

  test('a ranking that explores sends one in ten requests to other upstreams', () => {
    const random = seeded(3);
    const counts = firsts(PLAIN, RUNS, () => ({ random, ranking: ranking({ a: 1, b: 2, c: 3 }, true) }));
    expect(counts['a']! / RUNS).toBeCloseTo(0.9, 1);
    for (const name of ['b', 'c']) expect(Math.abs(counts[name]! / RUNS - 0.05)).toBeLessThan(0.02);
  });

  test('a ranking that explores measures an upstream without a rank with half of the requests', () => {
    const random = seeded(4);
    const counts = firsts(PLAIN, RUNS, () => ({ random, ranking: ranking({ a: 1, b: 2 }, true) }));
    expect(counts['c']! / RUNS).toBeCloseTo(0.5, 1);
    expect(counts['b']).toBe(0);
  });
});
