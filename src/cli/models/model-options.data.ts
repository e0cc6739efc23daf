import type { InputOption } from '../input-options.js';

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
