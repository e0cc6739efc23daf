/** What takes over from the model. */
export const FALLBACKS = ['fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks'] as const;

/**
 * Members of a body, beside `model`, in which providers let a caller name models: fallbacks, plugins and settings that ask
 * models of their own, routers, and tools of the vendor's that do (D29).
 */
export const NAMING_MEMBERS = [
  ...['models', ...FALLBACKS, 'default_fallbacks', 'context_window_fallback_dict'],
  ...['plugins', 'tools', 'web_search_options', 'providerOptions', 'provider_options', 'compound_custom', 'extra_body'],
  ...['user_config', 'router_settings_override', 'model_list', 'model_group_alias'],
] as readonly string[];

/** A member whose strings are models, whatever shape they stand in: `models`, `analysis_models`, `fallbacks`. */
const NAMES_MODELS = /(?:^|_)(?:models|fallbacks)$|^(?:context_window_fallback_dict|model_group_alias)$/;
/** A member whose string is a model; in an object there the same names count as anywhere. */
const NAMES_MODEL = /(?:^|_)model$/;

/** A member that names one model or several. */
export const namesModels = (name: string): boolean => NAMES_MODEL.test(name) || NAMES_MODELS.test(name);

/** What a fallback may have for itself, as any request has it: its texts are no models, and no model is called so. */
const OTHER_TEXTS: ReadonlySet<string> = new Set([
  ...['messages', 'system', 'prompt', 'input', 'instructions', 'suffix', 'stop', 'stop_sequences', 'response_format'],
  ...['tools', 'tool_choice', 'functions', 'function_call', 'modalities', 'include', 'betas', 'metadata', 'user'],
  ...['thinking', 'reasoning', 'reasoning_effort', 'verbosity', 'service_tier', 'provider', 'api_base', 'api_key'],
]);

/** A tool of the client's own: whatever its schema holds is no provider's to read. */
const OWN_TOOLS: ReadonlySet<unknown> = new Set([undefined, null, 'function', 'custom']);

/** Whether the provider has made this entry of `tools`, and may read models in it. */
export const isOfVendor = (tool: unknown): boolean =>
  typeof tool === 'object' && tool !== null && !OWN_TOOLS.has((tool as { type?: unknown }).type);

/**
 * The models that `json[member]` names, those of one list in its order, repeats included; linear in its size, however deep
 * it is.
 */
export function modelsIn(member: string, json: Readonly<Record<string, unknown>>): string[] {
  const search = new ModelSearch();
  search.lookAtMember(member, json[member], false);
  search.lookInside();
  return search.models;
}

class ModelSearch {
  readonly models: string[] = [];
  /** Yet to be looked into. */
  private readonly naming: object[] = [];
  private readonly others: object[] = [];

  /** @param isNamed whether a string there is a model by where it stands, whatever the member is called */
  lookAtMember(name: string, value: unknown, isNamed: boolean): void {
    if (NAMES_MODELS.test(name)) this.lookAt(value, true);
    else if (NAMES_MODEL.test(name)) this.lookAt(value, isNamed || typeof value === 'string' || Array.isArray(value));
    else if (name === 'tools' && Array.isArray(value)) this.lookAt(value.filter(isOfVendor), false);
    else this.lookAt(value, isNamed && !OTHER_TEXTS.has(name));
  }

  lookInside(): void {
    for (;;) {
      const isNamed = this.naming.length > 0;
      const at = (isNamed ? this.naming : this.others).pop();
      if (at === undefined) return;
      if (Array.isArray(at)) for (const entry of at) this.lookAt(entry, isNamed);
      else this.lookAtMembers(at as Readonly<Record<string, unknown>>, isNamed);
    }
  }

  private lookAtMembers(at: Readonly<Record<string, unknown>>, isNamed: boolean): void {
    // Not entries: an array for each of a million.
    for (const name of Object.keys(at)) this.lookAtMember(name, at[name], isNamed);
  }

  private lookAt(value: unknown, isNamed: boolean): void {
    if (typeof value === 'object' && value !== null) (isNamed ? this.naming : this.others).push(value);
    else if (isNamed && typeof value === 'string') this.models.push(value);
  }
}
