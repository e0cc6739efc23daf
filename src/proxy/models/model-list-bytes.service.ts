import { Injectable } from '@nestjs/common';
import { type ModelEntry, ModelList } from '../../model-policy/model-list.service.js';
import type { KeySnapshot } from '../../platform/request-context/key-snapshot.js';
import type { ListModelsRequest } from './models.dto.js';
import { MODEL_FLAGS } from '../../model-policy/registry/model-facts.js';
import type { CatalogModel } from '../../model-policy/parse-catalog.js';

/** The whole list, which SDKs request, and each single entry are serialized once per change. */
@Injectable()
export class ModelListBytes {
  private whole: { readonly entries: readonly ModelEntry[]; readonly bytes: Buffer } | null = null;
  private texts = new WeakMap<ModelEntry, string>();

  constructor(private readonly models: ModelList) {}

  async of(key: Pick<KeySnapshot, 'allowedModels'>, query: ListModelsRequest, anthropic: boolean): Promise<Buffer> {
    const entries = await this.models.entries(key);
    const { entries: selected, hasMore } = selectModels(entries, query);
    if (anthropic) {
      const data = selected.map((entry) => anthropicModel(entry, this.models.rowOf(entry.id)));
      return Buffer.from(JSON.stringify(anthropicPage(data, hasMore)));
    }
    // Only keys without allowed models get the same array until the list changes.
    if (key.allowedModels !== null || selected !== entries) return this.write(selected);
    if (this.whole?.entries !== entries) this.whole = { entries, bytes: this.write(entries) };
    return this.whole.bytes;
  }

  private write(entries: readonly ModelEntry[]): Buffer {
    return Buffer.from(`{"object":"list","data":[${entries.map((entry) => this.textOf(entry)).join(',')}]}`);
  }

  private textOf(entry: ModelEntry): string {
    let text = this.texts.get(entry);
    if (text === undefined) this.texts.set(entry, (text = JSON.stringify(entry)));
    return text;
  }
}

/** The format of Anthropic's `GET /v1/models`. Fields that the gateway cannot fill are null. */
export interface AnthropicModel {
  readonly type: 'model';
  readonly id: string;
  readonly display_name: string;
  /** RFC 3339; the epoch if the provider does not report it. */
  readonly created_at: string;
  readonly capabilities: null;
  readonly max_input_tokens: null;
  readonly max_tokens: null;
}

interface AnthropicModelPage {
  readonly data: readonly AnthropicModel[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

export const anthropicModel = ({ id, created }: ModelEntry, row: CatalogModel | undefined): AnthropicModel => ({
  type: 'model',
  id,
  display_name: row?.display_name ?? id,
  created_at: row?.created_at ?? new Date(created * 1000).toISOString(),
  capabilities: null,
  max_input_tokens: null,
  max_tokens: null,
});

/** @param hasMore in the direction in which the client pages */
const anthropicPage = (data: readonly AnthropicModel[], hasMore: boolean): AnthropicModelPage => ({
  data,
  has_more: hasMore,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
});

type Fits = (entry: ModelEntry) => boolean;

interface SelectedModels {
  readonly entries: readonly ModelEntry[];
  /** Whether more models follow in the paging direction. With `before_id`, these are the earlier models. */
  readonly hasMore: boolean;
}

/** Filters, sorts, and then pages the models (D31). `desc` also reverses equal entries. An empty query returns `entries`. */
function selectModels(entries: readonly ModelEntry[], query: ListModelsRequest): SelectedModels {
  return pageOf(sorted(entries, query), query);
}

function sorted(entries: readonly ModelEntry[], query: ListModelsRequest): readonly ModelEntry[] {
  const filters = filtersOf(query);
  const fitting = filters.length === 0 ? entries : entries.filter((entry) => filters.every((fits) => fits(entry)));
  const { sort_by: by, sort_dir: direction } = query;
  if (by === undefined) return fitting;
  const ascending = [...fitting].sort(by === 'id' ? byId : byCreated);
  return direction === 'desc' ? ascending.reverse() : ascending;
}

/** An unknown cursor selects nothing. Otherwise a paging client would start again from the first model. */
function pageOf(entries: readonly ModelEntry[], query: ListModelsRequest): SelectedModels {
  const { limit = entries.length, after_id: after, before_id: before } = query;
  const cursor = after ?? before;
  const at = cursor === undefined ? -1 : entries.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && at === -1) return { entries: [], hasMore: false };
  if (after === undefined && before !== undefined) {
    const start = Math.max(0, at - limit);
    return { entries: entries.slice(start, at), hasMore: start > 0 };
  }
  const end = at + 1 + limit;
  if (at === -1 && end >= entries.length) return { entries, hasMore: false };
  return { entries: entries.slice(at + 1, end), hasMore: end < entries.length };
}

function filtersOf({ search, category, endpoint, provider, ...flags }: ListModelsRequest): Fits[] {
  const filters: Fits[] = [];
  if (category !== undefined) filters.push(({ gw_category }) => gw_category === category);
  if (endpoint !== undefined)
    filters.push(({ gw_endpoints }) => gw_endpoints?.some((own) => own === endpoint) ?? false);
  if (provider !== undefined) filters.push(({ gw_provider }) => gw_provider === provider);
  for (const flag of MODEL_FLAGS) {
    const wanted = flags[flag];
    if (wanted !== undefined) filters.push((entry) => entry[`gw_${flag}`] === wanted);
  }
  if (search !== undefined) {
    const text = search.toLowerCase();
    filters.push(({ id }) => id.toLowerCase().includes(text));
  }
  return filters;
}

/** The order does not depend on the locale. */
const byId = (a: ModelEntry, b: ModelEntry) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
const byCreated = (a: ModelEntry, b: ModelEntry) => a.created - b.created;
