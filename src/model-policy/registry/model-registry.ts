import { builtInFacts } from './built-in-registry.js';
import { endpointsOf, LEGACY_BASE_ENDPOINTS } from './endpoints.data.js';
import { NO_FLAGS, type ModelFacts } from './model-facts.js';
import type { RegistryEntry, RegistryExtension } from './registry-file.js';

/** What is known of models here, whatever the upstream lists: the built-in tables, and the operator's file over them. */
export class ModelRegistry {
  /** @param extension entries by their exact id; a field that an entry leaves out stays as the built-in has it */
  constructor(private readonly extension: RegistryExtension = new Map()) {}

  /**
   * The facts of a model; null: it is unknown.
   *
   * @param owner `owned_by` of the catalog
   */
  lookup(id: string, owner?: string): ModelFacts | null {
    const builtIn = builtInFacts(id, owner);
    const entry = this.extension.get(id);
    return entry === undefined ? builtIn : merge(builtIn, entry);
  }
}

function merge(builtIn: ModelFacts | null, entry: RegistryEntry): ModelFacts {
  const category = entry.category ?? builtIn?.category ?? null;
  const provider = entry.provider ?? builtIn?.provider ?? null;
  // Another kind or another maker means other routes; what the entry leaves as it was keeps them (base models too).
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
