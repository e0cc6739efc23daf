import { allowlistAvailability, type AllowlistAvailability, type ModelState } from './availability.rules.js';
import { providerOf } from './provider.rules.js';
import { type ModelEndpoint } from './registry/endpoints.data.js';
import { MODEL_CATEGORIES, type ModelCategory } from './registry/model-category.js';
import { MODEL_FLAGS, type ModelFlag } from './registry/model-facts.js';
import type { ModelPolicy } from './stores/model-policy.entity.js';

export type ListedCategory = Exclude<ModelCategory, 'realtime'>;
export const LISTED_CATEGORIES = MODEL_CATEGORIES.filter((category) => category !== 'realtime');

/** A model of the catalog, of the policy, or of both. */
export interface AllowlistRow {
  readonly model: string;
  /** null: there is no policy row, and the three at the end are null with it. */
  readonly enabled: boolean | null;
  readonly availability: AllowlistAvailability;
  /** null where the registry does not know it, and for realtime models. */
  readonly category: ListedCategory | null;
  readonly provider: string | null;
  /** What the registry knows that it can do. */
  readonly capabilities: readonly ModelFlag[];
  /** The paths that it fits; none with the category. */
  readonly endpoints: readonly ModelEndpoint[];
  readonly note: string | null;
  readonly updatedAt: Date | null;
  readonly updatedBy: string | null;
}

/** What is known of one model beside its policy row. */
interface AllowlistModel {
  readonly id: string;
  /** Of the catalog's row; null: it is in no copy of the catalog. */
  readonly owner: string | null;
  readonly state: Pick<ModelState, 'facts' | 'probe'>;
}

/** @param unconfirmed what the upstream lists now is not known */
export function allowlistRow(model: AllowlistModel, policy: ModelPolicy | null, unconfirmed: boolean): AllowlistRow {
  const { id, owner, state } = model;
  const category = state.facts?.category ?? null;
  return {
    model: id,
    enabled: policy?.enabled ?? null,
    availability: allowlistAvailability(state, owner !== null, unconfirmed),
    category: category === 'realtime' ? null : category,
    provider: providerOf({ id, owned_by: owner ?? 'system' }, state.facts?.provider ?? null),
    capabilities: MODEL_FLAGS.filter((flag) => state.facts?.flags[flag] === true),
    endpoints: category === 'realtime' ? [] : (state.facts?.endpoints ?? []),
    note: policy?.note ?? null,
    updatedAt: policy?.updatedAt ?? null,
    updatedBy: policy?.updatedBy ?? null,
  };
}

/** undefined: any. */
export interface AllowlistFilter {
  /** Found in the id, whatever the case. */
  readonly search?: string;
  readonly enabled?: boolean;
  readonly availability?: AllowlistAvailability;
  readonly category?: ListedCategory;
}

export function matchesFilter(row: AllowlistRow, filter: AllowlistFilter): boolean {
  const { search, enabled, availability, category } = filter;
  return (
    (search === undefined || row.model.toLowerCase().includes(search.toLowerCase())) &&
    (enabled === undefined || row.enabled === enabled) &&
    (availability === undefined || row.availability === availability) &&
    (category === undefined || row.category === category)
  );
}
