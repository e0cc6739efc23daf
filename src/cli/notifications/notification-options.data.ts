import type { InputOption } from '../input-options.js';

/** The query of `GET /admin/notifications`; what is read is each reader's own, and nobody reads here. */
export const LIST_OPTIONS: readonly InputOption[] = [
  { flags: '--limit <n>', field: 'limit', description: 'rows at most, up to 500 (100)' },
  { flags: '--offset <n>', field: 'offset', description: 'rows to skip (0)' },
];
