import { commaSeparated, type InputOption, wholeNumber } from './input-options.js';

/** The query of every list of the Admin API. */
export const PAGE_OPTIONS: readonly InputOption[] = [
  { flags: '--limit <n>', field: 'limit', description: 'rows at most, up to 500 (100)' },
  { flags: '--offset <n>', field: 'offset', description: 'rows to skip (0)' },
];

/** The fields of `POST /admin/operators`, but for the password: what is typed there stands in every list of processes. */
export const OPERATOR_OPTIONS: readonly InputOption[] = [
  { flags: '--email <email>', field: 'email', description: 'what they sign in with (mandatory)' },
  { flags: '--name <name>', field: 'name', description: 'what others see (mandatory)' },
  { flags: '--role <role>', field: 'role', description: 'viewer, admin or owner (mandatory)' },
];

const MONTHLY = { read: wholeNumber, forNull: 'unlimited' } as const;
/** Limits of a key, for `create` (with defaults) and `update`. */
const LIMITS: readonly (InputOption & { readonly byDefault?: string })[] = [
  { flags: '--rpm <n>', field: 'rpm_limit', read: wholeNumber, description: 'requests a minute', byDefault: '60' },
  { flags: '--rpd <n>', field: 'rpd_limit', read: wholeNumber, description: 'requests a day, UTC', byDefault: '10000' },
  { ...MONTHLY, flags: '--monthly <n>', field: 'monthly_limit', description: 'requests a month' },
  { ...MONTHLY, flags: '--monthly-tokens <n>', field: 'monthly_token_limit', description: 'tokens a month' },
  {
    ...{ flags: '--models <ids>', field: 'allowed_models', read: commaSeparated, forNull: 'all' },
    description: 'the models that it may use, comma-separated',
  },
  { flags: '--expires <time>', field: 'expires_at', forNull: 'never', description: 'ISO 8601, e.g. 2027-01-01' },
];

/** The fields of `POST /admin/api-keys`. */
export const KEY_CREATE_OPTIONS: readonly InputOption[] = [
  { flags: '--name <text>', field: 'name', description: 'what the key is for (mandatory)' },
  ...LIMITS.map((limit) => ({ ...limit, description: `${limit.description} (${limit.byDefault ?? limit.forNull})` })),
];

/** The fields of `PATCH /admin/api-keys/{id}`. */
export const KEY_UPDATE_OPTIONS: readonly InputOption[] = [
  { flags: '--name <text>', field: 'name', description: 'what the key is for' },
  ...LIMITS.map((limit) => ({ ...limit, description: withNull(limit) })),
];

function withNull({ description, forNull }: InputOption): string {
  return forNull === undefined ? description : `${description}, or ${forNull}`;
}

/** The query of `GET /admin/api-keys/{id}/usage`. */
export const KEY_USAGE_OPTIONS: readonly InputOption[] = [
  { flags: '--from <day>', field: 'from', description: 'first day, UTC (as far back as there is)' },
  { flags: '--to <day>', field: 'to', description: 'last day' },
  { flags: '--days <n>', field: 'daily_limit', description: 'days with usage at most, up to 365 (30)' },
  { flags: '--months <n>', field: 'monthly_limit', description: 'months with usage at most, up to 24 (12)' },
];

/** The fields of `POST /admin/api-keys/{id}/reset-quota`. */
export const KEY_RESET_OPTIONS: readonly InputOption[] = [
  { flags: '--window <window>', field: 'window', description: 'minute, day, month or all (all)' },
];

/** The query of `GET /admin/api-keys`. */
export const KEY_LIST_OPTIONS: readonly InputOption[] = [
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
export const KEY_CHANGES = {
  suspend: 'stop a key until it is unsuspended',
  unsuspend: 'let a suspended key work again',
  revoke: 'end a key for good',
  rotate: 'give a key a new secret, printed once; the old one ends at once',
} as const;
export type KeyChange = keyof typeof KEY_CHANGES;

/** The fields of `POST /admin/model-allowlist` beside those that the command itself says. */
export const POLICY_OPTIONS: readonly InputOption[] = [
  { flags: '--note <text>', field: 'note', description: 'why, for the other operators' },
];

/** What may be said of a model, by the name of the command, and what `enabled` is then. */
export const POLICIES = {
  block: { enabled: false, description: 'refuse a model to every key' },
  allow: { enabled: true, description: 'route a model, whatever the registry knows of it' },
} as const;
export type Policy = keyof typeof POLICIES;

/** The query of `GET /admin/jobs`. */
export const JOB_OPTIONS: readonly InputOption[] = [
  { flags: '--job <name>', field: 'job', description: 'daily or probes' },
  ...PAGE_OPTIONS,
];
