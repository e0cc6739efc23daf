import { commaSeparated, type InputOption, wholeNumber } from './input-options.js';
import { PAGE_OPTIONS } from './options.data.js';

const SCOPES = 'account, team, key or tag';
const MEASURES = 'requests, tokens, input_tokens, output_tokens, cost or concurrent_requests';

export const LIMIT_LIST_OPTIONS: readonly InputOption[] = [
  { flags: '--scope <scope>', field: 'scope', description: `only limits of this scope: ${SCOPES}` },
  { flags: '--team <team>', field: 'team_id', description: 'only limits of this team: its name or ID' },
  { flags: '--key <id>', field: 'key_id', description: 'only limits of this key' },
  { flags: '--tag <tag>', field: 'tag', description: 'only limits of this tag' },
  { flags: '--measure <measure>', field: 'measure', description: 'only limits of this measure' },
  { flags: '--mode <mode>', field: 'mode', description: 'enforce or observe' },
  {
    flags: '--applies-to-key <id>',
    field: 'applies_to_key',
    description: 'all limits of a key, its tags, its team and the account',
  },
  { flags: '--sort <order>', field: 'sort', description: 'created, used or runs_out (default: created)' },
  ...PAGE_OPTIONS,
];

const numbers = (text: string, before: unknown): unknown[] => commaSeparated(text, before).map(wholeNumber);
const decimal = (text: string): unknown => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);
const flag = (text: string): unknown => (text === 'true' ? true : text === 'false' ? false : text);

const SETTINGS: readonly InputOption[] = [
  { flags: '--amount <n>', field: 'amount', description: 'requests or tokens; for cost, dollars such as 250.00' },
  {
    flags: '--name <text>',
    field: 'name',
    forNull: 'none',
    description: 'name shown in error messages, or none to remove it',
  },
  {
    flags: '--models <patterns>',
    field: 'models',
    read: commaSeparated,
    forNull: 'all',
    description: 'models that count, comma-separated, such as "gpt-4o*", or all',
  },
  { flags: '--mode <mode>', field: 'mode', description: 'enforce, or observe: only count and alert' },
  {
    flags: '--reserve <reserve>',
    field: 'reserve',
    description: 'what a request reserves before its usage is known: full, typical or none',
  },
  {
    flags: '--cached-input-weight <n>',
    field: 'weights.cached_input',
    read: decimal,
    description: 'what a token that was read from a cache counts, 0 to 100',
  },
  {
    flags: '--cache-write-weight <n>',
    field: 'weights.cache_write',
    read: decimal,
    description: 'what a token that was written to a cache counts, 0 to 100',
  },
  {
    flags: '--from <time>',
    field: 'starts_at',
    forNull: 'none',
    description: 'start: ISO 8601, now, or none to remove it',
  },
  { flags: '--to <time>', field: 'ends_at', forNull: 'never', description: 'end: ISO 8601, now, or never' },
  { flags: '--enabled <true|false>', field: 'enabled', read: flag, description: 'whether the limit counts' },
  {
    flags: '--alerts <percentages>',
    field: 'alert_thresholds',
    read: numbers,
    forNull: 'none',
    description: 'alert at these percentages, comma-separated, or none',
  },
  {
    flags: '--carry-over <n>',
    field: 'carry_over',
    forNull: 'none',
    description: 'maximum unused amount that is carried over, or none',
  },
];

/** The fields are the paths of the Admin API's body, so that errors name the option. */
const TERMS: readonly InputOption[] = [
  { flags: '--scope <scope>', field: 'scope', description: `whose requests count: ${SCOPES}` },
  { flags: '--team <team>', field: 'team_id', description: 'name or ID of the team' },
  { flags: '--key <id>', field: 'key_id', description: 'ID of the key' },
  { flags: '--tag <tag>', field: 'tag', description: 'tag of keys and teams' },
  { flags: '--measure <measure>', field: 'measure', description: `what counts: ${MEASURES}` },
  {
    flags: '--period <period>',
    field: 'period',
    description: 'minute, hour, day, week, month, rolling_5h, rolling_7d or total',
  },
  { flags: '--zone <name>', field: 'time_zone', description: 'IANA time zone of a day, week or month (default: UTC)' },
  ...SETTINGS,
];

export const LIMIT_SET_OPTIONS: readonly InputOption[] = [
  {
    flags: '--id <id>',
    field: 'id',
    description: 'change this limit instead of creating one; omitted options keep their values',
  },
  ...TERMS,
];

export const LIMIT_SIMULATE_OPTIONS: readonly InputOption[] = [
  ...TERMS,
  { flags: '--since <day>', field: 'since', description: 'first day, UTC (default: 29 days before the last one)' },
  { flags: '--until <day>', field: 'until', description: 'last day, UTC (default: today)' },
];

export const TOP_UP_OPTIONS: readonly InputOption[] = [
  { flags: '--amount <n>', field: 'amount', description: 'requests, tokens or dollars that are added (required)' },
  {
    flags: '--expires <time>',
    field: 'expires_at',
    forNull: 'never',
    description: 'when the top-up ends, or never (default: with the period)',
  },
  { flags: '--note <text>', field: 'note', description: 'reason, shown to other operators' },
];
