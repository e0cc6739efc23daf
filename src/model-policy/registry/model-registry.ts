import { builtInFacts } from './built-in-registry.js';
import { endpointsOf, LEGACY_BASE_ENDPOINTS } from './endpoints.data.js';
import { NO_FLAGS, type ModelFacts } from './model-facts.js';
import type { RegistryEntry, RegistryExtension } from './registry-file.js';

/** The model registry: the built-in tables with the operator's file on top. It does not depend on the upstream's list. */
export class ModelRegistry {
  /** @param extension entries by exact ID; omitted fields keep their built-in values */
  constructor(private readonly extension: RegistryExtension = new Map()) {}

  lookup(id: string, owner?: string): ModelFacts | null {
    const builtIn = builtInFacts(id, owner);
    const entry = this.extension.get(id);
    return entry === undefined ? builtIn : merge(builtIn, entry);
  }
}

function merge(builtIn: ModelFacts | null, entry: RegistryEntry): ModelFacts {
  const category = entry.category ?? builtIn?.category ?? null;
  const provider = entry.provider ?? builtIn?.provider ?? null;
  // A different category or maker has other routes. Otherwise the built-in routes stay, which matters for base models.
  const same = category === builtIn?.category && provider === builtIn?.provider;
  const usual = category === null ? null : endpointsOf(category, provider);
  const endpoints = entry.endpoints ?? (same ? builtIn.endpoints : usual);
  return {
    category,
    provider,
    endpoints,
    flags: { ...(builtIn?.flags ?? NO_FLAGS), ...entry.flags },
    availability: entry.availability ?? builtIn?.availability ?? 'callable',
    legacyBase: category === 'chat' && endpoints?.length === 1 && endpoints[0] === LEGACY_BASE_ENDPOINTS[0],
  };
}
