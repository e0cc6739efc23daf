import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/**
 * Filters, sorting and page of a list, kept in the address bar, so that a link shows the same list and the back button goes back.
 * A change of anything but the page goes to the first page. It is made to what the address bar says at that moment, and not to
 * what was rendered last: of two quick changes the second would undo the first.
 */
export function useSearchState() {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (changes: Readonly<Record<string, string | null>>) => {
      const next = new URLSearchParams(location.search);
      if (!('page' in changes)) next.delete('page');
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
      }
      setParams(next);
    },
    [setParams],
  );
  return { params, get: (name: string) => params.get(name), page: Math.max(1, Number(params.get('page')) || 1), set };
}
