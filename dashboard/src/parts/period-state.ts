import { periodOf, type Period } from './period.ts';
import { useSearchState } from './use-search-state.ts';

export function usePeriod(): Period {
  return periodOf(useSearchState().params);
}
