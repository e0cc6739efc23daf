import type { InputOption } from './input-options.js';

export const RECONCILE_OPTIONS: readonly InputOption[] = [
  { flags: '--provider <name>', field: 'provider', description: 'only records of this upstream (default: all)' },
  {
    flags: '--format <format>',
    field: 'format',
    description: 'openai_costs, openai_usage, anthropic_costs or anthropic_usage (default: by the header)',
  },
];
