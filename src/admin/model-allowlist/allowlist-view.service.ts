import { Injectable } from '@nestjs/common';
import {
  ModelAllowlist,
  allowlistRow,
  matchesFilter,
  type AllowlistFilter,
  type AllowlistRow,
} from '../../model-policy/model-allowlist.service.js';
import { servedModel } from '../../model-policy/model-list.service.js';
import { UpstreamCandidates } from '../../model-policy/upstream-candidates.service.js';
import { ModelStates } from '../../model-policy/model-states.service.js';
import type { Page } from '../../platform/database/page.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';

export interface ViewedModel extends AllowlistRow {
  readonly upstreams: readonly string[] | null;
}

/** The model allowlist with the upstreams of `GW_UPSTREAMS`. An alias has the facts of the model that it stands for. */
@Injectable()
export class AllowlistView {
  constructor(
    private readonly allowlist: ModelAllowlist,
    private readonly states: ModelStates,
    private readonly candidates: UpstreamCandidates,
  ) {}

  async list(
    { search, enabled, ...facts }: AllowlistFilter,
    page: Page,
  ): Promise<{ total: number; rows: readonly ViewedModel[] }> {
    if (!this.candidates.areNamed) {
      const { total, rows } = await this.allowlist.list({ search, enabled, ...facts }, page);
      return { total, rows: rows.map((row) => ({ ...row, upstreams: null })) };
    }
    // The other filters apply to the facts of aliases.
    const { rows } = await this.allowlist.list({ search, enabled }, ALL);
    const matching = rows.map((row) => this.view(row)).filter((row) => matchesFilter(row, facts));
    return { total: matching.length, rows: matching.slice(page.offset, page.offset + page.limit) };
  }

  /** @throws GatewayError `not_found` for a model without a policy row, even if it is listed */
  async find(model: string): Promise<ViewedModel> {
    return this.view(await this.allowlist.find(model));
  }

  async set(model: string, enabled: boolean, note: string | null, actor: AdminActor): Promise<ViewedModel> {
    return this.view(await this.allowlist.set(model, enabled, note, actor));
  }

  private view(row: AllowlistRow): ViewedModel {
    const { state, upstreams, means } = servedModel(row.model, this.states, this.candidates);
    if (means.length === 0) return { ...row, upstreams };
    // An alias is always in the catalog.
    const meant = allowlistRow({ id: means[0]!, owner: 'system', state }, null, false);
    const { availability, category, provider, capabilities, endpoints } = meant;
    return { ...row, availability, category, provider, capabilities, endpoints, upstreams };
  }
}

const ALL = { limit: Infinity, offset: 0 } as const;
