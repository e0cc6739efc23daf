import { useCallback, useRef } from 'react';

interface Steady {
  /** What to ask for: rows that have come since the first page was read would move every other page on. */
  readonly until: string | undefined;
  /** To be told of the newest row of the first page. */
  readonly firstSeen: (at: string) => void;
}

/**
 * Holds a list that grows at its beginning still while one goes through its pages. The moment is the newest row's, not the
 * clock's here, which may be wrong.
 * @param filters what is asked for, `until` too
 */
export function useSteadyUntil(filters: { readonly until?: string }, page: number): Steady {
  const seen = useRef<{ of: string; at: string } | null>(null);
  const of = JSON.stringify(filters);
  const held = page > 1 && seen.current?.of === of ? seen.current.at : undefined;
  const firstSeen = useCallback((at: string) => void (seen.current = { of, at }), [of]);
  return { until: filters.until ?? held, firstSeen };
}
