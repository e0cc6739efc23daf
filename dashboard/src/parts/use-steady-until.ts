import { useCallback, useRef } from 'react';

interface Steady {
  readonly until: string | undefined;
  /** Must be called with the time of the newest row of the first page. */
  readonly firstSeen: (at: string) => void;
}

/** Pins a growing list to the newest row of its first page, because new rows would shift the later pages. */
export function useSteadyUntil(filters: { readonly until?: string }, page: number): Steady {
  const seen = useRef<{ of: string; at: string } | null>(null);
  const of = JSON.stringify(filters);
  const held = page > 1 && seen.current?.of === of ? seen.current.at : undefined;
  const firstSeen = useCallback((at: string) => void (seen.current = { of, at }), [of]);
  return { until: filters.until ?? held, firstSeen };
}
