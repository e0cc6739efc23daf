import { MODELS_MAX, parseCatalog, type CatalogModel } from './parse-catalog.js';

const PAGES_MAX = 100;

/**
 * The upstream's whole list. Most providers return all of it at once; others return pages (`parseCatalog`).
 * @param ask for one page, by the query that names it; empty: the first
 * @throws Error if a page is unusable, or the list has no end
 */
export async function allPages(ask: (query: string) => Promise<Buffer>): Promise<CatalogModel[]> {
  const all = new Map<string, CatalogModel>();
  let query: string | null = '';
  for (let pages = 0; query !== null; pages++) {
    const { models, next } = parseCatalog(await ask(query));
    for (const model of models) if (!all.has(model.id)) all.set(model.id, model);
    if (pages === PAGES_MAX || all.size > MODELS_MAX) throw new Error('the list has too many pages or models');
    query = next;
  }
  return [...all.values()];
}
