/** What takes over from the model. */
const FALLBACKS = ['fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks'] as const;

/**
 * Members of a body, beside `model` and `models`, in which providers let a caller name models: fallbacks, plugins and
 * settings that ask models of their own, and tools of the vendor's that do (D29).
 */
export const NAMING_MEMBERS = [...FALLBACKS, 'plugins', 'tools', 'providerOptions', 'compound_custom'] as const;
type NamingMember = (typeof NAMING_MEMBERS)[number];

/** In the objects of these any name may be that of a model. */
export const isFallback = (member: string): boolean => FALLBACKS.some((name) => name === member);

/** A member whose strings are models: `model`, `models`, `analysis_models`. */
export const namesModels = (name: string): boolean => /(?:^|_)models?$/.test(name);

/** A tool of the client's own: whatever its schema holds is no provider's to read. */
const OWN_TOOLS: ReadonlySet<unknown> = new Set([undefined, null, 'function', 'custom']);

/** The models that `json[member]` names, in no order, repeats included; linear in its size, however deep it is. */
export function modelsIn(member: NamingMember, json: Readonly<Record<string, unknown>>): string[] {
  const value = json[member];
  if (value === undefined) return [];
  if (isFallback(member)) return [...collected({ models: value }), ...mapped(value)];
  if (member === 'tools' && Array.isArray(value)) return collected(value.filter(isOfVendor));
  return collected(value);
}

const isOfVendor = (tool: unknown): boolean =>
  typeof tool === 'object' && tool !== null && !OWN_TOOLS.has((tool as { type?: unknown }).type);

function collected(value: unknown): string[] {
  const models: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const at = left.pop();
    if (Array.isArray(at)) {
      for (const entry of at) if (isContainer(entry)) left.push(entry);
    } else if (isContainer(at)) {
      for (const name of Object.keys(at)) {
        if (namesModels(name)) addStrings(models, at[name]);
        if (isContainer(at[name])) left.push(at[name]);
      }
    }
  }
  return models;
}

/** Lists of strings that a fallback with a `model` may have, as any request has them. */
const OWN_LISTS: ReadonlySet<string> = new Set(['stop', 'stop_sequences', 'modalities', 'include', 'betas']);

/** Fallbacks by the model that they are for: `[{"gpt-4o": ["gpt-4.1"]}]`. */
function mapped(value: unknown): string[] {
  const models: string[] = [];
  for (const entry of Array.isArray(value) ? value : [value]) {
    if (!isContainer(entry) || Array.isArray(entry)) continue;
    for (const [name, list] of Object.entries(entry))
      if (Array.isArray(list) && !namesModels(name) && !OWN_LISTS.has(name)) addStrings(models, list);
  }
  return models;
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** One by one: a body may name a million. */
function addStrings(models: string[], value: unknown): void {
  for (const entry of Array.isArray(value) ? value : [value]) if (typeof entry === 'string') models.push(entry);
}
