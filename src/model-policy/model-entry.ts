import { obstacleOf, shownAvailability, type ModelState } from './availability.rules.js';
import type { CatalogModel } from './parse-catalog.js';
import { providerOf } from './provider.rules.js';
import type { ModelEndpoint } from './registry/endpoints.data.js';
import type { ModelCategory } from './registry/model-category.js';
import type { Availability } from './registry/model-facts.js';

/** One item of `GET /v1/models`: the upstream's standard fields and the gateway's thirteen. */
export interface ModelEntry extends Pick<CatalogModel, 'id' | 'object' | 'created' | 'owned_by'> {
  readonly gw_available: boolean;
  readonly gw_availability: Availability;
  /** Left out where the registry does not know it, and for realtime models. */
  readonly gw_category?: Exclude<ModelCategory, 'realtime'>;
  /** Left out with `gw_category`. */
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
}

/** A row of the catalog as clients see it (D12, D31). A realtime model is listed, of no category and never available. */
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
