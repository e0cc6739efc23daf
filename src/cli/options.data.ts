import { commaSeparated, type InputOption, wholeNumber } from './input-options.js';
import { USAGE_KINDS, USAGE_KIND_NAMES, type UsageKind } from '../costs/usage-kinds.data.js';

export const PAGE_OPTIONS: readonly InputOption[] = [
  { flags: '--limit <n>', field: 'limit', description: 'maximum number of rows, 1 to 500 (default: 100)' },
  { flags: '--offset <n>', field: 'offset', description: 'number of rows to skip (default: 0)' },
];

export const LOST_CHANGE_OPTIONS: readonly InputOption[] = [
  {
    flags: '--decided <boolean>',
    field: 'decided',
    description: 'true or false: only changes with or without a decision',
  },
  ...PAGE_OPTIONS,
];

export const PRICE_LIST_OPTIONS: readonly InputOption[] = [
  { flags: '--model <id>', field: 'model', description: 'only prices that can apply to this model' },
  { flags: '--provider <name>', field: 'provider', description: 'only prices of this upstream, or "*"' },
  ...PAGE_OPTIONS,
];

export const PRICE_SHOW_OPTIONS: readonly InputOption[] = [
  { flags: '--provider <name>', field: 'provider', description: 'upstream (required with several upstreams)' },
  { flags: '--at <time>', field: 'at', description: 'time of the request, ISO 8601 (default: now)' },
];

const priceUnit = (kind: UsageKind): string =>
  kind === 'audio_seconds' ? 'dollars per 1,000 hours of audio' : `dollars per million (${USAGE_KINDS[kind].unit})`;

/** The fields are the paths of the Admin API's body, so that errors name the option. */
export const PRICE_SET_OPTIONS: readonly InputOption[] = [
  ...USAGE_KIND_NAMES.filter((kind) => USAGE_KINDS[kind].measured).map((kind) => ({
    flags: `--${kind.replaceAll('_', '-')} <price>`,
    field: `prices.${kind}`,
    description: `price of ${kind.replaceAll('_', ' ')}, ${priceUnit(kind)}`,
  })),
  {
    flags: '--list <provider>',
    field: 'list',
    description: 'use published prices of this provider, or "maker", instead',
  },
  { flags: '--provider <name>', field: 'provider', description: 'upstream (default: all upstreams)' },
  { flags: '--from <time>', field: 'valid_from', description: 'first time, ISO 8601 (default: now)' },
  { flags: '--to <time>', field: 'valid_to', description: 'time at which the price ends (default: never)' },
  {
    flags: '--hours <times>',
    field: 'hours',
    description: 'hours of the day in UTC, such as 16:30-00:30 (default: all)',
  },
  { flags: '--note <text>', field: 'note', description: 'reason, shown to other operators' },
];

export const RECOMPUTE_OPTIONS: readonly InputOption[] = [
  {
    flags: '--model <id>',
    field: 'model',
    description: 'only requests that this model served, or that requested it',
  },
  { flags: '--provider <name>', field: 'provider', description: 'only requests to this upstream' },
  { flags: '--since <time>', field: 'since', description: 'earliest start of a request, ISO 8601' },
  { flags: '--until <time>', field: 'until', description: 'latest start of a request' },
];

export const COST_REPORT_OPTIONS: readonly InputOption[] = [
  { flags: '--since <day>', field: 'since', description: 'first day, UTC (default: 29 days before --until)' },
  { flags: '--until <day>', field: 'until', description: 'last day, UTC (default: today)' },
  {
    flags: '--group-by <names>',
    field: 'group_by',
    description: 'day, key, team, model, endpoint or provider, or day and another one, such as day,key (default: day)',
  },
  { flags: '--key <id>', field: 'key_id', description: 'only costs of this key' },
  { flags: '--team <team>', field: 'team_id', description: 'only costs of the keys of this team, by name or ID' },
  { flags: '--tag <tag>', field: 'tag', description: 'only costs of keys that have this tag, or whose team has it' },
  { flags: '--model <model>', field: 'model', description: 'only costs of this model' },
  { flags: '--endpoint <path>', field: 'endpoint', description: 'only costs of this endpoint' },
  { flags: '--provider <name>', field: 'provider', description: 'only costs of this upstream' },
  { flags: '--sort <order>', field: 'sort', description: 'cost, requests or name (default: cost; for days: name)' },
  { flags: '--limit <n>', field: 'limit', description: 'maximum number of groups, 1 to 500 (default: 100)' },
  { flags: '--offset <n>', field: 'offset', description: 'number of groups to skip (default: 0)' },
];

export const RECONCILE_OPTIONS: readonly InputOption[] = [
  { flags: '--provider <name>', field: 'provider', description: 'only records of this upstream (default: all)' },
  {
    flags: '--format <format>',
    field: 'format',
    description: 'openai_costs, openai_usage, anthropic_costs or anthropic_usage (default: by the header)',
  },
];

/** There is no option for the password, because process lists show the arguments of a command. */
export const OPERATOR_OPTIONS: readonly InputOption[] = [
  { flags: '--email <email>', field: 'email', description: 'email for sign-in (required)' },
  { flags: '--name <name>', field: 'name', description: 'display name (required)' },
  { flags: '--role <role>', field: 'role', description: 'viewer, admin or owner (required)' },
];

export const SESSION_LIST_OPTIONS: readonly InputOption[] = [
  { flags: '--operator <email>', field: 'operator_id', description: 'only sessions of this operator' },
  ...PAGE_OPTIONS,
];

const MONTHLY = { read: wholeNumber, forNull: 'unlimited' } as const;
const LIMITS: readonly (InputOption & { readonly byDefault?: string })[] = [
  { flags: '--rpm <n>', field: 'rpm_limit', read: wholeNumber, description: 'requests per minute', byDefault: '60' },
  {
    flags: '--rpd <n>',
    field: 'rpd_limit',
    read: wholeNumber,
    description: 'requests per day, UTC',
    byDefault: '10000',
  },
  { ...MONTHLY, flags: '--monthly <n>', field: 'monthly_limit', description: 'requests per month' },
  { ...MONTHLY, flags: '--monthly-tokens <n>', field: 'monthly_token_limit', description: 'tokens per month' },
  {
    flags: '--token-counting <tokens>',
    field: 'token_counting',
    description: 'tokens that the limit counts: specification (input and output) or all (also cache reads and writes)',
    byDefault: 'specification',
  },
  {
    flags: '--models <ids>',
    field: 'allowed_models',
    read: commaSeparated,
    forNull: 'all',
    description: 'models that the key can use, comma-separated',
  },
  {
    flags: '--expires <time>',
    field: 'expires_at',
    forNull: 'never',
    description: 'expiry, ISO 8601, such as 2027-01-01',
  },
];

const TEAM = { flags: '--team <team>', field: 'team_id' } as const;
const TAGS = { flags: '--tag <tags>', field: 'tags', read: commaSeparated, forNull: 'none' } as const;

export const KEY_CREATE_OPTIONS: readonly InputOption[] = [
  { flags: '--name <text>', field: 'name', description: 'name of the key (required)' },
  { ...TEAM, forNull: 'none', description: 'team of the key, by name or ID (default: none)' },
  { ...TAGS, description: 'tags of the key, comma-separated (default: none)' },
  ...LIMITS.map((limit) => ({
    ...limit,
    description: `${limit.description} (default: ${limit.byDefault ?? limit.forNull})`,
  })),
];

export const KEY_UPDATE_OPTIONS: readonly InputOption[] = [
  { flags: '--name <text>', field: 'name', description: 'name of the key' },
  { ...TEAM, forNull: 'none', description: 'team to move the key to, by name or ID, or none' },
  { ...TAGS, description: 'all tags of the key, comma-separated, or none' },
  ...LIMITS.map((limit) => ({ ...limit, description: withNull(limit) })),
];

function withNull({ description, forNull }: InputOption): string {
  return forNull === undefined ? description : `${description}, or ${forNull}`;
}

export const KEY_USAGE_OPTIONS: readonly InputOption[] = [
  { flags: '--from <day>', field: 'from', description: 'first day, UTC (default: the oldest)' },
  { flags: '--to <day>', field: 'to', description: 'last day, UTC (default: the newest)' },
  {
    flags: '--days <n>',
    field: 'daily_limit',
    description: 'maximum number of days with usage, 1 to 365 (default: 30)',
  },
  {
    flags: '--months <n>',
    field: 'monthly_limit',
    description: 'maximum number of months with usage, 1 to 24 (default: 12)',
  },
];

export const KEY_RESET_OPTIONS: readonly InputOption[] = [
  { flags: '--window <window>', field: 'window', description: 'minute, day, month or all (default: all)' },
];

export const KEY_LIST_OPTIONS: readonly InputOption[] = [
  { flags: '--status <status>', field: 'status', description: 'active, suspended or revoked' },
  { flags: '--search <text>', field: 'name', description: 'part of the name or ID' },
  { ...TEAM, description: 'only keys of this team, by name or ID' },
  { flags: '--tag <tag>', field: 'tag', description: 'only keys that have this tag, or whose team has it' },
  { flags: '--expired <true|false>', field: 'expired', description: 'true: only expired keys; false: no expired keys' },
  { flags: '--since <time>', field: 'since', description: 'created at or after this time, ISO 8601' },
  { flags: '--until <time>', field: 'until', description: 'created at or before this time' },
  {
    flags: '--sort-by <field>',
    field: 'sort_by',
    description: 'name, created_at, updated_at or last_used_at (default: created_at)',
  },
  { flags: '--sort-dir <dir>', field: 'sort_dir', description: 'asc or desc (default: desc)' },
  ...PAGE_OPTIONS,
];

export const KEY_CHANGES = {
  suspend: 'reject requests with a key until it is unsuspended',
  unsuspend: 'accept requests with a suspended key again',
  revoke: 'revoke a key permanently',
  rotate: 'replace the raw key and print the new one once; the old one stops working immediately',
} as const;
export type KeyChange = keyof typeof KEY_CHANGES;

export const TEAM_CREATE_OPTIONS: readonly InputOption[] = [
  { flags: '--name <text>', field: 'name', description: 'name of the team (required)' },
  { ...TAGS, description: 'tags for all keys of the team, comma-separated (default: none)' },
];

export const TEAM_UPDATE_OPTIONS: readonly InputOption[] = [
  { flags: '--name <text>', field: 'name', description: 'new name of the team' },
  { ...TAGS, description: 'all tags of the team, comma-separated, or none' },
];

export const TEAM_LIST_OPTIONS: readonly InputOption[] = [
  { flags: '--search <text>', field: 'name', description: 'part of the name' },
  { flags: '--tag <tag>', field: 'tag', description: 'only teams with this tag' },
  ...PAGE_OPTIONS,
];

export const POLICY_OPTIONS: readonly InputOption[] = [
  { flags: '--note <text>', field: 'note', description: 'reason, shown to other operators' },
];

export const POLICIES = {
  block: { enabled: false, description: 'block a model for all keys' },
  allow: { enabled: true, description: 'route a model even if the registry marks it as broken' },
} as const;
export type Policy = keyof typeof POLICIES;

export const JOB_OPTIONS: readonly InputOption[] = [
  { flags: '--job <name>', field: 'job', description: 'daily or probes' },
  ...PAGE_OPTIONS,
];

export const REQUEST_LIST_OPTIONS: readonly InputOption[] = [
  { flags: '--status <status>', field: 'status', description: 'a status, 4xx, 5xx, or "error" for both' },
  { flags: '--error-code <code>', field: 'error_code', description: 'only requests with this error code' },
  { flags: '--key <id>', field: 'key_id', description: 'only requests of this key' },
  { flags: '--team <team>', field: 'team_id', description: 'only requests of the keys of this team, by name or ID' },
  { flags: '--tag <tag>', field: 'tag', description: 'only requests of keys that have this tag, or whose team has it' },
  { flags: '--model <model>', field: 'model', description: 'only requests with this model' },
  { flags: '--endpoint <path>', field: 'endpoint', description: 'only requests to this endpoint' },
  { flags: '--upstream <name>', field: 'upstream', description: 'only requests that were sent to this upstream last' },
  { flags: '--latency-min-ms <ms>', field: 'latency_min_ms', description: 'lowest latency in milliseconds' },
  { flags: '--cost-min <dollars>', field: 'cost_min', description: 'lowest cost in dollars, such as 0.50' },
  { flags: '--since <time>', field: 'since', description: 'earliest start of a request, ISO 8601' },
  { flags: '--until <time>', field: 'until', description: 'latest start of a request' },
  { flags: '--request-id <id>', field: 'request_id', description: 'request ID, or the beginning of one' },
  { flags: '--sort <order>', field: 'sort', description: 'time, latency or cost, in descending order (default: time)' },
  { flags: '--limit <n>', field: 'limit', description: 'maximum number of requests, 1 to 500 (default: 100)' },
  { flags: '--cursor <cursor>', field: 'cursor', description: 'the cursor of the next page' },
];

export const REQUEST_ERROR_OPTIONS: readonly InputOption[] = [
  { flags: '--since <day>', field: 'from', description: 'first day, UTC (default: 29 days before --until)' },
  { flags: '--until <day>', field: 'to', description: 'last day, UTC (default: today)' },
  { flags: '--key <id>', field: 'key_id', description: 'only requests of this key' },
  { flags: '--team <team>', field: 'team_id', description: 'only requests of the keys of this team, by name or ID' },
  { flags: '--tag <tag>', field: 'tag', description: 'only requests of keys that have this tag, or whose team has it' },
  { flags: '--error-code <code>', field: 'error_code', description: 'only requests with this error code' },
];
