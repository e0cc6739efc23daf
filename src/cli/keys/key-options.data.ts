import { commaSeparated, wholeNumber, type InputOption } from '../input-options.js';

/** The fields of `POST /admin/api-keys`. */
export const CREATE_OPTIONS: readonly InputOption[] = [
  { flags: '--name <text>', field: 'name', description: 'what the key is for (mandatory)' },
  { flags: '--rpm <n>', field: 'rpm_limit', read: wholeNumber, description: 'requests a minute (60)' },
  { flags: '--rpd <n>', field: 'rpd_limit', read: wholeNumber, description: 'requests a day, UTC (10000)' },
  { flags: '--monthly <n>', field: 'monthly_limit', read: wholeNumber, description: 'requests a month (unlimited)' },
  {
    flags: '--monthly-tokens <n>',
    field: 'monthly_token_limit',
    read: wholeNumber,
    description: 'tokens a month (unlimited)',
  },
  {
    flags: '--models <ids>',
    field: 'allowed_models',
    read: commaSeparated,
    description: 'the models that it may use, comma-separated (all)',
  },
  { flags: '--expires <time>', field: 'expires_at', description: 'ISO 8601, e.g. 2027-01-01 (never)' },
];

/** The query of `GET /admin/api-keys`. */
export const LIST_OPTIONS: readonly InputOption[] = [
  { flags: '--status <status>', field: 'status', description: 'active, suspended or revoked' },
  { flags: '--search <text>', field: 'name', description: 'found in the name or the id' },
  { flags: '--expired <true|false>', field: 'expired', description: 'whether the expiry has passed' },
  { flags: '--since <time>', field: 'since', description: 'created at or after, ISO 8601' },
  { flags: '--until <time>', field: 'until', description: 'created at or before' },
  { flags: '--sort-by <field>', field: 'sort_by', description: 'name, created_at, updated_at or last_used_at' },
  { flags: '--sort-dir <dir>', field: 'sort_dir', description: 'asc or desc (desc)' },
  { flags: '--limit <n>', field: 'limit', description: 'rows at most, up to 500 (100)' },
  { flags: '--offset <n>', field: 'offset', description: 'rows to skip (0)' },
];

/** The calls on one key, by the name of their command. */
export const CHANGES = {
  suspend: 'stop a key until it is unsuspended',
  unsuspend: 'let a suspended key work again',
  revoke: 'end a key for good',
  rotate: 'give a key a new secret, printed once; the old one ends at once',
} as const;
export type KeyChange = keyof typeof CHANGES;
