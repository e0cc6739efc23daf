import { Injectable } from '@nestjs/common';
import { upstreamError } from '../platform/errors/error-factories.js';
import type { KeySnapshot } from '../platform/request-context/key-snapshot.js';
import {
  isListed,
  lookupRejection,
  obstacleOf,
  shownAvailability,
  type ModelState,
  providerOf,
} from './availability.rules.js';
import { allowsModel } from './model-gate.rules.js';
import { ModelCatalog, type CatalogCopy } from './catalog.service.js';
import { UpstreamCandidates } from './upstream-candidates.service.js';
import type { CatalogModel } from './parse-catalog.js';
import { ModelStates } from './model-states.service.js';
import type { ListedCategory, ModelEndpoint } from './registry/endpoints.data.js';
import type { Availability } from './registry/model-facts.js';

type Key = Pick<KeySnapshot, 'allowedModels'>;

/** The list for all keys, without blocked models (D12). Rebuilt after a change. */
interface VisibleModels {
  readonly byId: ReadonlyMap<string, ModelEntry>;
  readonly all: readonly ModelEntry[];
  /** The models that an alias stands for, by alias. */
  readonly meanings: ReadonlyMap<string, readonly string[]>;
}

/** Serves `GET /v1/models` and `GET /v1/models/{model}`. Both return 502 without a copy of the catalog (D31). */
@Injectable()
export class ModelList {
  private visibleModels: VisibleModels | null = null;

  constructor(
    private readonly catalog: ModelCatalog,
    private readonly states: ModelStates,
    private readonly candidates: UpstreamCandidates,
  ) {
    states.onChange(() => (this.visibleModels = null));
  }

  /**
   * Returns the models that a key can see, in the upstream's order.
   * @throws GatewayError `upstream_error`; `service_unavailable` if the model policy could not be read at startup
   */
  async entries(key: Key): Promise<readonly ModelEntry[]> {
    const { visibleModels } = await this.read();
    const { all } = visibleModels;
    return key.allowedModels === null ? all : all.filter(({ id }) => isAllowed(id, key, visibleModels));
  }

  rowOf(id: string): CatalogModel | undefined {
    return this.catalog.copy?.get(id);
  }

  /** @throws GatewayError `upstream_error`, or the error of `lookupRejection` */
  async find(id: string, key: Key): Promise<ModelEntry> {
    const { copy, visibleModels } = await this.read();
    const entry = visibleModels.byId.get(id);
    const allowed = isAllowed(id, key, visibleModels);
    const listed = entry !== undefined || copy.has(id);
    const rejection = lookupRejection({ listed, blocked: entry === undefined, allowed });
    if (rejection !== null) throw rejection;
    return entry!;
  }

  private async read(): Promise<{ copy: CatalogCopy; visibleModels: VisibleModels }> {
    await this.states.whenReady();
    const unlisted = this.states.allowedUnlisted();
    // A provider without a model list can still be used through allow entries.
    const copy = this.catalog.copy ?? (unlisted.length > 0 ? new Map<string, CatalogModel>() : null);
    if (copy === null) throw upstreamError("The upstream's model list could not be read.");
    return { copy, visibleModels: (this.visibleModels ??= this.build(copy, unlisted)) };
  }

  private build(copy: CatalogCopy, unlisted: readonly string[]): VisibleModels {
    const byId = new Map<string, ModelEntry>();
    const meanings = new Map<string, readonly string[]>();
    const add = (id: string, modelOf: (state: ModelState) => CatalogModel) => {
      const { state, upstreams, means } = servedModel(id, this.states, this.candidates);
      if (means.length > 0) meanings.set(id, means);
      if (!isListed(state)) return;
      const entry = modelEntry(modelOf(state), state);
      byId.set(id, upstreams === null ? entry : { ...entry, gw_upstreams: upstreams });
    };
    for (const [id, model] of copy) add(id, () => model);
    for (const id of unlisted) add(id, ({ facts }) => unlistedModel(id, facts?.provider ?? 'system'));
    return { byId, all: [...byId.values()], meanings };
  }
}

export interface ServedModel {
  /** The state of `shownAs`. */
  readonly state: ModelState;
  /** The model itself, or the one that an alias stands for. */
  readonly shownAs: string;
  /** The names of the upstreams that serve it, in the order of its route. Null without `GW_UPSTREAMS`. */
  readonly upstreams: readonly string[] | null;
  /** The models that an alias stands for at its upstreams. Empty for any other model. */
  readonly means: readonly string[];
}

/**
 * Returns what a list shows about a model. An alias has the state of the model that it stands for: the first that can be used, or
 * the first of all. An operator can block the alias itself too.
 */
export function servedModel(
  id: string,
  states: Pick<ModelStates, 'of'>,
  serving: Pick<UpstreamCandidates, 'areNamed' | 'upstreamsOf'>,
): ServedModel {
  const own = states.of(id);
  if (!serving.areNamed) return { state: own, shownAs: id, upstreams: null, means: [] };
  const candidates = serving.upstreamsOf(id);
  const upstreams = candidates.map(({ upstream }) => upstream.name);
  const sent = [...new Set(candidates.map(({ model }) => model))];
  if (sent.every((model) => model === id)) return { state: own, shownAs: id, upstreams, means: [] };
  const shownAs = sent.find((model) => obstacleOf(states.of(model)) === null) ?? sent[0]!;
  const state = states.of(shownAs);
  return { state: own.enabled === false ? { ...state, enabled: false } : state, shownAs, upstreams, means: sent };
}

/** A key that can use one of the models behind an alias can use the alias. */
const isAllowed = (id: string, { allowedModels }: Key, { meanings }: VisibleModels): boolean =>
  (meanings.get(id) ?? [id]).some((model) => allowsModel(allowedModels, model));

const unlistedModel = (id: string, owner: string): CatalogModel => ({
  id,
  object: 'model',
  created: 0,
  owned_by: owner,
});

export interface ModelEntry extends Pick<CatalogModel, 'id' | 'object' | 'created' | 'owned_by'> {
  readonly gw_available: boolean;
  readonly gw_availability: Availability;
  /** Omitted if the registry does not recognize the model, and for realtime models. */
  readonly gw_category?: ListedCategory;
  readonly gw_endpoints?: readonly ModelEndpoint[];
  readonly gw_provider?: string;
  readonly gw_reasoning: boolean;
  readonly gw_vision: boolean;
  readonly gw_web_search: boolean;
  readonly gw_audio_input: boolean;
  readonly gw_tool_use: boolean;
  readonly gw_json_mode: boolean;
  readonly gw_thinking: boolean;
  readonly gw_computer_use: boolean;
  /** Absent with a single account. */
  readonly gw_upstreams?: readonly string[];
}

export function modelEntry(model: CatalogModel, state: ModelState): ModelEntry {
  const { facts } = state;
  const category = facts?.category ?? null;
  const endpoints = facts?.endpoints ?? null;
  const provider = providerOf(model, facts?.provider ?? null);
  return {
    id: model.id,
    object: model.object,
    created: model.created,
    owned_by: model.owned_by,
    gw_available: obstacleOf(state) === null && category !== 'realtime',
    gw_availability: shownAvailability(state),
    ...(category === null || category === 'realtime' ? {} : { gw_category: category }),
    ...(endpoints === null || category === 'realtime' ? {} : { gw_endpoints: endpoints }),
    ...(provider === null ? {} : { gw_provider: provider }),
    gw_reasoning: facts?.flags.reasoning ?? false,
    gw_vision: facts?.flags.vision ?? false,
    gw_web_search: facts?.flags.web_search ?? false,
    gw_audio_input: facts?.flags.audio_input ?? false,
    gw_tool_use: facts?.flags.tool_use ?? false,
    gw_json_mode: facts?.flags.json_mode ?? false,
    gw_thinking: facts?.flags.thinking ?? false,
    gw_computer_use: facts?.flags.computer_use ?? false,
  };
}
