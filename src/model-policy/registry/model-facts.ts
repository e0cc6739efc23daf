import type { ModelEndpoint } from './endpoints.data.js';
import type { ModelCategory } from './endpoints.data.js';

/** Each is the `gw_` boolean of the same name. */
export const MODEL_FLAGS = [
  'reasoning',
  'vision',
  'web_search',
  'audio_input',
  'tool_use',
  'json_mode',
  'thinking',
  'computer_use',
] as const;
export type ModelFlag = (typeof MODEL_FLAGS)[number];

export const AVAILABILITIES = ['callable', 'listed_unavailable', 'registry_broken', 'unclassified'] as const;
export type Availability = (typeof AVAILABILITIES)[number];

/** What the registry knows of one model. */
export interface ModelFacts {
  /** null: an entry of the registry file that says nothing of it; such a model goes as a custom one. */
  readonly category: ModelCategory | null;
  /** A slug (`PROVIDER_SLUG`). */
  readonly provider: string | null;
  /** null exactly where no category and no endpoints are known. */
  readonly endpoints: readonly ModelEndpoint[] | null;
  readonly flags: Readonly<Record<ModelFlag, boolean>>;
  readonly availability: Availability;
  /** Completes text and knows no chat: forwarded natively on /v1/completions, its only route (D10). */
  readonly legacyBase: boolean;
}

export const PROVIDER_SLUG = /^[a-z0-9_-]{2,32}$/;

export const NO_FLAGS: ModelFacts['flags'] = flagsOf([]);

export function flagsOf(set: readonly ModelFlag[]): ModelFacts['flags'] {
  return Object.fromEntries(MODEL_FLAGS.map((flag) => [flag, set.includes(flag)])) as ModelFacts['flags'];
}
