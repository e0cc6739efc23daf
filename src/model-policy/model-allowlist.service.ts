import { Injectable } from '@nestjs/common';
import { notFound } from '../errors/catalogue.js';
import type { AdminActor } from '../request-context/admin-actor.js';
import { ModelCatalog } from './catalog.service.js';
import { allowlistRow, matchesFilter, type AllowlistFilter, type AllowlistRow } from './model-allowlist-row.js';
import { ModelStates } from './model-states.service.js';
import { PolicyService, type ModelPolicy } from './policy.service.js';

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
