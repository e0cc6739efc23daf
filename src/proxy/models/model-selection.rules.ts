import type { ModelEntry } from '../../model-policy/model-list.service.js';
import { MODEL_FLAGS } from '../../model-policy/registry/model-facts.js';
import type { ListModelsRequest } from './list-models.request.dto.js';

type Fits = (entry: ModelEntry) => boolean;

interface SelectedModels {
  readonly entries: readonly ModelEntry[];
  /** Whether more models follow in the paging direction. With `before_id`, these are the earlier models. */
  readonly hasMore: boolean;
}

/** Filters, sorts, and then pages the models (D31). `desc` also reverses equal entries. An empty query returns `entries`. */
export function selectModels(entries: readonly ModelEntry[], query: ListModelsRequest): SelectedModels {
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
