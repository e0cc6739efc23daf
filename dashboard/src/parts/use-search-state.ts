import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/**
 * Keeps the filters, order and page of a list in the URL. A changed filter or order returns to the first page. Changes
 * apply to the current URL instead of the last render, so that a second quick change keeps the first.
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
