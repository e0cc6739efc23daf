import { periodOf, type Period } from './period';
import { useSearchState } from './use-search-state';

/** The period in the address bar (`days`, or `from` and `to`). */
export function usePeriod(): Period {
  return periodOf(useSearchState().params);
}
