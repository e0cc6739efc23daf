import { FROM_CATALOG, type UpstreamSpec } from '../platform/config/upstreams/upstreams-file.js';
import type { CatalogCopy } from './catalog-feed.js';
import { catalogRows, type CatalogModel } from './parse-catalog.js';

/**
 * Returns the models that an upstream serves by the names that clients use: those of its list, the targets of its aliases, and
 * the aliases. An alias replaces a model of the same name.
 * @param list the provider's list; null if it has not been read yet
 * @returns null if nothing is known
 */
export function servedModels(
  { models, aliases }: Pick<UpstreamSpec, 'models' | 'aliases'>,
  list: CatalogCopy | null,
): CatalogCopy | null {
  if (models === FROM_CATALOG && aliases.size === 0) return list;
  const listed = models === FROM_CATALOG ? [...(list?.values() ?? [])] : catalogRows(models.map((id) => ({ id })));
  const served = new Map(listed.map((model) => [model.id, model]));
  for (const row of catalogRows([...aliases.values()].map((id) => ({ id }))))
    if (!served.has(row.id)) served.set(row.id, row);
  for (const [alias, target] of aliases) served.set(alias, { ...served.get(target)!, id: alias });
  return served;
}

/** The first upstream that lists a model describes it. @returns null if no upstream has a list */
export function unionOf(copies: readonly (CatalogCopy | null)[]): CatalogCopy | null {
  const known = copies.filter((copy) => copy !== null);
  if (known.length <= 1) return known[0] ?? null;
  const union = new Map<string, CatalogModel>();
  for (const copy of known) for (const [id, model] of copy) if (!union.has(id)) union.set(id, model);
  return union;
}
