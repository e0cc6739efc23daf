import { commaSeparated, wholeNumber, type InputOption } from '../input-options.js';
import { PAGE_OPTIONS } from '../page-options.data.js';

/** What a key may and how long it lives: the same on creation, where it has a default, and later. */
const LIMITS: readonly (InputOption & { readonly byDefault?: string })[] = [
  { flags: '--rpm <n>', field: 'rpm_limit', read: wholeNumber, description: 'requests a minute', byDefault: '60' },
  { flags: '--rpd <n>', field: 'rpd_limit', read: wholeNumber, description: 'requests a day, UTC', byDefault: '10000' },
  {
    flags: '--monthly <n>',
    field: 'monthly_limit',
    read: wholeNumber,
    forNull: 'unlimited',
    description: 'requests a month',
  },
  {
    flags: '--monthly-tokens <n>',
    field: 'monthly_token_limit',
    read: wholeNumber,
    forNull: 'unlimited',
    description: 'tokens a month',
  },
  {
    flags: '--models <ids>',
    field: 'allowed_models',
    read: commaSeparated,
    forNull: 'all',
    description: 'the models that it may use, comma-separated',
  },
  {
    flags: '--expires <time>',
    field: 'expires_at',
    forNull: 'never',
    description: 'ISO 8601, e.g. 2027-01-01',
  },
];

/** The fields of `POST /admin/api-keys`. */
export const CREATE_OPTIONS: readonly InputOption[] = [
  { flags: '--name <text>', field: 'name', description: 'what the key is for (mandatory)' },
  ...LIMITS.map((limit) => ({ ...limit, description: `${limit.description} (${limit.byDefault ?? limit.forNull})` })),
];

/** The fields of `PATCH /admin/api-keys/{id}`. */
export const UPDATE_OPTIONS: readonly InputOption[] = [
  { flags: '--name <text>', field: 'name', description: 'what the key is for' },
  ...LIMITS.map((limit) => ({ ...limit, description: withNull(limit) })),
];

function withNull({ description, forNull }: InputOption): string {
  return forNull === undefined ? description : `${description}, or ${forNull}`;
}

/** The query of `GET /admin/api-keys/{id}/usage`. */
export const USAGE_OPTIONS: readonly InputOption[] = [
  { flags: '--from <day>', field: 'from', description: 'first day, UTC (as far back as there is)' },
  { flags: '--to <day>', field: 'to', description: 'last day' },
  { flags: '--days <n>', field: 'daily_limit', description: 'days with usage at most, up to 365 (30)' },
  { flags: '--months <n>', field: 'monthly_limit', description: 'months with usage at most, up to 24 (12)' },
];

/** The fields of `POST /admin/api-keys/{id}/reset-quota`. */
export const RESET_OPTIONS: readonly InputOption[] = [
  { flags: '--window <window>', field: 'window', description: 'minute, day, month or all (all)' },
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
  ...PAGE_OPTIONS,
];

/** The calls on one key, by the name of their command. */
export const CHANGES = {
  suspend: 'stop a key until it is unsuspended',
  unsuspend: 'let a suspended key work again',
  revoke: 'end a key for good',
  rotate: 'give a key a new secret, printed once; the old one ends at once',
} as const;
export type KeyChange = keyof typeof CHANGES;
