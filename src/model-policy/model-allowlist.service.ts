import { Injectable } from '@nestjs/common';
import { notFound } from '../platform/errors/error-factories.js';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import { ModelCatalog } from './catalog.service.js';
import { servedModel, type ServedModel } from './model-list.service.js';
import { ModelStates } from './model-states.service.js';
import { PolicyService, type ModelPolicy } from './policy.service.js';
import {
  allowlistAvailability,
  type AllowlistAvailability,
  type ModelState,
  providerOf,
} from './availability.rules.js';
import type { ListedCategory, ModelEndpoint } from './registry/endpoints.data.js';
import { UpstreamCandidates } from './upstream-candidates.service.js';
import { MODEL_FLAGS, type ModelFlag } from './registry/model-facts.js';

const NO_POLICY = 'This model has no policy';

/**
 * Joins the catalog, the model policy and the upstreams for the Admin API (D17). The policy is read from the table, not from the cache.
 */
@Injectable()
export class ModelAllowlist {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly states: ModelStates,
    private readonly policy: PolicyService,
    private readonly candidates: UpstreamCandidates,
  ) {}

  /** Sorted by model ID. `total` counts all matches. */
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

  /** @throws GatewayError `not_found` for a model without a policy row, even if it is listed */
  async find(model: string): Promise<AllowlistRow> {
    await this.states.whenReady();
    const policy = await this.policy.find(model);
    if (policy === null) throw notFound(NO_POLICY);
    return this.rowOf(model, policy);
  }

  /** Does not wait for the catalog, so that a change never depends on it. Just after startup, the row can lack its data. */
  async set(model: string, given: { enabled: boolean; note: string | null }, actor: AdminActor): Promise<AllowlistRow> {
    return this.rowOf(model, await this.policy.set(model, given.enabled, given.note, actor));
  }

  async remove(model: string, actor: AdminActor): Promise<void> {
    if (!(await this.policy.remove(model, actor))) throw notFound(NO_POLICY);
  }

  private rowOf(id: string, policy: ModelPolicy | null): AllowlistRow {
    const served = servedModel(id, this.states, this.candidates);
    const isAlias = served.means.length > 0;
    const listed = this.catalog.copy?.get(id);
    // The file of upstreams lists an alias.
    const isListed = isAlias || listed !== undefined;
    const owner = isAlias ? null : (listed?.owned_by ?? null);
    return allowlistRow({ id, owner, isListed, served }, policy, this.catalog.unconfirmed);
  }
}

export interface AllowlistRow {
  readonly model: string;
  /** null without a policy row; then the last three fields are null too */
  readonly enabled: boolean | null;
  readonly availability: AllowlistAvailability;
  /** null if the registry does not recognize the model, and for realtime models */
  readonly category: ListedCategory | null;
  readonly provider: string | null;
  readonly capabilities: readonly ModelFlag[];
  readonly endpoints: readonly ModelEndpoint[];
  /** Null without `GW_UPSTREAMS`. */
  readonly upstreams: readonly string[] | null;
  readonly note: string | null;
  readonly updatedAt: Date | null;
  readonly updatedBy: string | null;
}

interface AllowlistModel {
  readonly id: string;
  readonly owner: string | null;
  readonly isListed: boolean;
  readonly served: Pick<ServedModel, 'shownAs' | 'upstreams'> & { readonly state: Pick<ModelState, 'facts' | 'probe'> };
}

export function allowlistRow(model: AllowlistModel, policy: ModelPolicy | null, unconfirmed: boolean): AllowlistRow {
  const { id, owner, isListed, served } = model;
  const { state, shownAs, upstreams } = served;
  const category = state.facts?.category ?? null;
  return {
    model: id,
    enabled: policy?.enabled ?? null,
    availability: allowlistAvailability(state, isListed, unconfirmed),
    category: category === 'realtime' ? null : category,
    provider: providerOf({ id: shownAs, owned_by: owner }, state.facts?.provider ?? null),
    capabilities: MODEL_FLAGS.filter((flag) => state.facts?.flags[flag] === true),
    endpoints: category === 'realtime' ? [] : (state.facts?.endpoints ?? []),
    upstreams,
    note: policy?.note ?? null,
    updatedAt: policy?.updatedAt ?? null,
    updatedBy: policy?.updatedBy ?? null,
  };
}

export interface AllowlistFilter {
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
