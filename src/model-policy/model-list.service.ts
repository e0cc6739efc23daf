import { Injectable } from '@nestjs/common';
import { upstreamError } from '../errors/catalogue.js';
import type { KeySnapshot } from '../request-context/key-snapshot.js';
import { lookupRefusal } from './availability.rules.js';
import { allowsModel } from './key-allowlist.rules.js';
import { ModelCatalog, type CatalogCopy } from './catalog.service.js';
import { modelEntry, type ModelEntry } from './model-entry.js';
import type { CatalogModel } from './parse-catalog.js';
import { ModelStates } from './model-states.service.js';

type Key = Pick<KeySnapshot, 'allowedModels'>;

/** The list for all keys until something changes, without policy-blocked models (D12). */
interface Visible {
  readonly byId: ReadonlyMap<string, ModelEntry>;
  /** The same in the upstream's order. */
  readonly all: readonly ModelEntry[];
}

/** The models of `GET /v1/models` and `GET /v1/models/{model}`. Both throw 502 without a copy of the catalog (D31). */
@Injectable()
export class ModelList {
  private visible: Visible | null = null;

  constructor(
    private readonly catalog: ModelCatalog,
    private readonly states: ModelStates,
  ) {
    states.onChange(() => (this.visible = null));
  }

  /**
   * The models that a key sees, in the upstream's order; for keys without a list the very same array until something
   * changes.
   * @throws GatewayError `upstream_error`; `service_unavailable` where the model policy could not be read at the start
   */
  async entries(key: Key): Promise<readonly ModelEntry[]> {
    const { all } = (await this.read()).visible;
    return key.allowedModels === null ? all : all.filter(({ id }) => allowsModel(key.allowedModels, id));
  }

  /** The upstream's own row of a model; undefined for one that only an allow entry lists. */
  rowOf(id: string): CatalogModel | undefined {
    return this.catalog.copy?.get(id);
  }

  /** One model. @throws GatewayError `upstream_error`; otherwise as `lookupRefusal` says */
  async find(id: string, key: Key): Promise<ModelEntry> {
    const { copy, visible } = await this.read();
    const entry = visible.byId.get(id);
    const allowed = allowsModel(key.allowedModels, id);
    const listed = entry !== undefined || copy.has(id);
    const refusal = lookupRefusal({ listed, blocked: entry === undefined, allowed });
    if (refusal !== null) throw refusal;
    return entry!;
  }

  private async read(): Promise<{ copy: CatalogCopy; visible: Visible }> {
    await this.states.whenReady();
    const unlisted = this.states.allowedUnlisted();
    // A provider without a list of models can still be used by allow entries.
    const copy = this.catalog.copy ?? (unlisted.length > 0 ? new Map<string, CatalogModel>() : null);
    if (copy === null) throw upstreamError("The upstream's list of models could not be read.");
    return { copy, visible: (this.visible ??= this.build(copy, unlisted)) };
  }

  private build(copy: CatalogCopy, unlisted: readonly string[]): Visible {
    const byId = new Map<string, ModelEntry>();
    for (const [id, model] of copy) {
      const state = this.states.of(id);
      if (state.enabled !== false) byId.set(id, modelEntry(model, state));
    }
    for (const id of unlisted) {
      const state = this.states.of(id);
      byId.set(id, modelEntry(unlistedModel(id, state.facts?.provider ?? 'system'), state));
    }
    return { byId, all: [...byId.values()] };
  }
}

/** The standard fields of a model that only an allow entry lists. */
const unlistedModel = (id: string, owner: string): CatalogModel => ({
  id,
  object: 'model',
  created: 0,
  owned_by: owner,
});
