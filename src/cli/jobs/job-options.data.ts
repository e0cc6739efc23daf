import type { InputOption } from '../input-options.js';
import { PAGE_OPTIONS } from '../page-options.data.js';

/** The query of `GET /admin/jobs`. */
export const LIST_OPTIONS: readonly InputOption[] = [
  { flags: '--job <name>', field: 'job', description: 'daily or probes' },
  ...PAGE_OPTIONS,
];
