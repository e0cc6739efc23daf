import type { ModelEndpoint } from './endpoints.data.js';
import type { ModelCategory } from './endpoints.data.js';

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

export interface ModelFacts {
  /** null if an entry of the registry file omits it; such a model counts as a custom one */
  readonly category: ModelCategory | null;
  readonly provider: string | null;
  /** null only if neither a category nor endpoints are known */
  readonly endpoints: readonly ModelEndpoint[] | null;
  readonly flags: Readonly<Record<ModelFlag, boolean>>;
  readonly availability: Availability;
  /** The model only completes text. Its only route is /v1/completions, which forwards it without emulation (D10). */
  readonly legacyBase: boolean;
}

export const PROVIDER_SLUG = /^[a-z0-9_-]{2,32}$/;

export const NO_FLAGS: ModelFacts['flags'] = flagsOf([]);

export function flagsOf(set: readonly ModelFlag[]): ModelFacts['flags'] {
  return Object.fromEntries(MODEL_FLAGS.map((flag) => [flag, set.includes(flag)])) as ModelFacts['flags'];
}
