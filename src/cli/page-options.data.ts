import type { InputOption } from './input-options.js';

/** Which rows of a list, as the query of every list of the Admin API has them. */
export const PAGE_OPTIONS: readonly InputOption[] = [
  { flags: '--limit <n>', field: 'limit', description: 'rows at most, up to 500 (100)' },
  { flags: '--offset <n>', field: 'offset', description: 'rows to skip (0)' },
];
