import type { CatalogModel } from './parse-catalog.js';
import { PROVIDER_SLUG } from './registry/model-facts.js';

/** Owners that stand for nobody in particular. */
const NOBODY: ReadonlySet<string> = new Set(['system', 'user', 'organization-owner']);

/** D31: the registry's word, else the slug before the id's slash, else the owner; null: a custom model. */
export function providerOf(
  { id, owned_by: owner }: Pick<CatalogModel, 'id' | 'owned_by'>,
  known: string | null,
): string | null {
  if (known !== null) return known;
  const slash = id.indexOf('/');
  if (slash !== -1 && PROVIDER_SLUG.test(id.slice(0, slash))) return id.slice(0, slash);
  return PROVIDER_SLUG.test(owner) && !NOBODY.has(owner) ? owner : null;
}
