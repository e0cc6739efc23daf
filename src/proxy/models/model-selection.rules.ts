import type { ModelEntry } from '../../model-policy/model-entry.js';
import { MODEL_FLAGS } from '../../model-policy/registry/model-facts.js';
import type { ListModelsRequest } from './list-models.request.dto.js';

type Fits = (entry: ModelEntry) => boolean;

/**
 * Filters, then sorts, then cuts (D31). Entries that are equal in what they are sorted by keep their order, reversed with
 * the rest by `desc`.
 * @returns `entries` itself where nothing is asked for
 */
export function selectModels(entries: readonly ModelEntry[], query: ListModelsRequest): readonly ModelEntry[] {
  const filters = filtersOf(query);
  const fitting = filters.length === 0 ? entries : entries.filter((entry) => filters.every((fits) => fits(entry)));
  const { sort_by: by, sort_dir: direction, limit } = query;
  const sorted = by === undefined ? fitting : [...fitting].sort(by === 'id' ? byId : byCreated);
  if (by !== undefined && direction === 'desc') (sorted as ModelEntry[]).reverse();
  return limit === undefined ? sorted : sorted.slice(0, limit);
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

/** By code unit: the same on every machine. */
const byId = (a: ModelEntry, b: ModelEntry) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
const byCreated = (a: ModelEntry, b: ModelEntry) => a.created - b.created;
