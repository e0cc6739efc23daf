import { periodOf, type Period } from './period';
import { useSearchState } from './use-search-state';

export function usePeriod(): Period {
  return periodOf(useSearchState().params);
}
