import type { InputOption } from './input-options.js';

export const COST_REPORT_OPTIONS: readonly InputOption[] = [
  { flags: '--since <day>', field: 'since', description: 'first day, UTC (default: 29 days before --until)' },
  { flags: '--until <day>', field: 'until', description: 'last day, UTC (default: today)' },
  {
    ...{ flags: '--group-by <names>', field: 'group_by' },
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
