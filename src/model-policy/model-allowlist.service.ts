import { Injectable } from '@nestjs/common';
import { notFound } from '../errors/catalogue.js';
import type { AdminActor } from '../request-context/caller-session.js';
import { ModelCatalog } from './catalog.service.js';
import { ModelStates } from './model-states.service.js';
import { PolicyService, type ModelPolicy } from './policy.service.js';
import {
  allowlistAvailability,
  type AllowlistAvailability,
  type ModelState,
  providerOf,
} from './availability.rules.js';
import { type ModelEndpoint, MODEL_CATEGORIES, type ModelCategory } from './registry/endpoints.data.js';
import { MODEL_FLAGS, type ModelFlag } from './registry/model-facts.js';

const NO_ROW = 'There is no policy for this model';

/** The catalog and the operators' policy side by side, as the admin API shows them (D17). Policy is read from the table. */
@Injectable()
export class ModelAllowlist {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly states: ModelStates,
    private readonly policy: PolicyService,
  ) {}

  /** One page by model id, and how many match without `limit` and `offset`. */
  async list(
    filter: AllowlistFilter,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ total: number; rows: AllowlistRow[] }> {
    await this.states.whenReady();
    const policies = await this.policy.rows();
    const ids = new Set([...(this.catalog.copy?.keys() ?? []), ...policies.keys()]);
    const rows = [...ids]
      .sort()
      .map((id) => this.rowOf(id, policies.get(id) ?? null))
      .filter((row) => matchesFilter(row, filter));
    return { total: rows.length, rows: rows.slice(offset, offset + limit) };
  }

  /** @throws GatewayError `not_found` for a model without a policy row, listed or not */
  async find(model: string): Promise<AllowlistRow> {
    await this.states.whenReady();
    const policy = await this.policy.find(model);
    if (policy === null) throw notFound(NO_ROW);
    return this.rowOf(model, policy);
  }

  /** Allows or blocks a model; the row as it is from now on. @param note null: none, also where there was one */
  async set(model: string, enabled: boolean, note: string | null, actor: AdminActor): Promise<AllowlistRow> {
    return this.rowOf(model, await this.policy.set(model, enabled, note, actor));
  }

  /** @throws GatewayError `not_found` for a model without a policy row */
  async remove(model: string, actor: AdminActor): Promise<void> {
    if (!(await this.policy.remove(model, actor))) throw notFound(NO_ROW);
  }

  private rowOf(id: string, policy: ModelPolicy | null): AllowlistRow {
    const owner = this.catalog.copy?.get(id)?.owned_by ?? null;
    return allowlistRow({ id, owner, state: this.states.of(id) }, policy, this.catalog.unconfirmed);
  }
}

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
