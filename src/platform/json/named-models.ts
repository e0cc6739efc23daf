export const FALLBACKS = ['fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks'] as const;

/** Top-level fields besides `model` in which providers accept model names (D29). `modelsInside` searches the other fields. */
export const MODEL_FIELDS = [
  'models',
  ...FALLBACKS,
  'default_fallbacks',
  'context_window_fallback_dict',
  'plugins',
  'tools',
  'web_search_options',
  'providerOptions',
  'provider_options',
  'compound_custom',
  'extra_body',
  'user_config',
  'router_settings_override',
  'model_list',
  'model_group_alias',
] as readonly string[];

/** Other top-level fields in which the vendors' schemas nest model names. Only `GW_PROFILE=current` searches all fields. */
export const NESTING_FIELDS: ReadonlySet<string> = new Set([
  'input',
  'messages',
  'items',
  'additional_messages',
  'thread',
  'moderation',
  'svg',
  'requests',
  'session',
  'model',
  'audio',
  'input_audio_transcription',
  'method',
  'grader',
  'testing_criteria',
  'data_source',
  'agent',
  'multiagent',
  'target',
]);

/** A field whose strings are models, in any list, object or map: `models`, `analysis_models`, `fallbacks`. */
const NAMES_MODELS = /(?:^|_)(?:models|fallbacks)$|^(?:context_window_fallback_dict|model_group_alias)$/;
const NAMES_MODEL = /(?:^|_)model$/;

export const namesModels = (name: string): boolean => NAMES_MODEL.test(name) || NAMES_MODELS.test(name);

/** The last letters of model fields and of nested form fields, by character code. Most names end differently. */
const LAST_LETTERS: readonly boolean[] = Array.from({ length: 0x80 }, (_, code) =>
  'lst]'.includes(String.fromCharCode(code)),
);

/** Whether a field can name models, or is a form field inside an object. Faster than `namesModels` for most names. */
export const canNameModels = (name: string): boolean =>
  LAST_LETTERS[name.charCodeAt(name.length - 1)] === true && (namesModels(name) || name.endsWith(']'));

/** Request settings that a fallback can contain. Their strings are not models. */
const NON_MODEL_SETTINGS: ReadonlySet<string> = new Set([
  'messages',
  'system',
  'prompt',
  'input',
  'instructions',
  'suffix',
  'stop',
  'stop_sequences',
  'response_format',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'modalities',
  'include',
  'betas',
  'metadata',
  'user',
  'thinking',
  'reasoning',
  'reasoning_effort',
  'verbosity',
  'service_tier',
  'provider',
  'api_base',
  'api_key',
  'output_config',
  'output_format',
  'speed',
]);

/** Only tools name models in these lists. The `model` of a past message or its usage is a record. */
export const CONVERSATIONS: ReadonlySet<string> = new Set(['messages', 'additional_messages', 'input', 'items']);

/** Fields with the caller's own data, which the vendors' schemas do not restrict. */
const FREE_FORM: ReadonlySet<string> = new Set([
  'metadata',
  'request_metadata',
  'parameters',
  'input_schema',
  'output_schema',
  'schema',
  'item_schema',
  'json_schema',
  'response_schema',
  // Ollama, and vLLM's structured outputs of today and before.
  'format',
  'structured_outputs',
  'guided_json',
  'guided_choice',
  'chat_template_kwargs',
  'documents',
  'item',
  'sample',
  'data',
  'arguments',
  'annotations',
  'attributes',
  'variables',
  'state_variables',
  'input_examples',
  'headers',
  'env',
  'filters',
  'tool_choice',
]);
/** Within a conversation, `input` contains the arguments of a tool call. */
const FREE_FORM_IN_CONVERSATION: ReadonlySet<string> = new Set([...FREE_FORM, 'input', 'error', 'trigger']);
const TOOLS_IN_CONVERSATION: ReadonlySet<string> = new Set(['tools', 'tool']);

/**
 * The rule that decides which strings are models in one part of a body.
 * - `settings`: a field with the name of a model field (`namesModels`) names models.
 * - `strict`: the same, but no field is free-form.
 * - `conversation`: only tools name models.
 * - `models`: every string is a model.
 * - `free`: no string is a model.
 */
export type Place = 'settings' | 'strict' | 'conversation' | 'models' | 'free';

/** Returns the place inside the list or object in the field `name`, which is at `place`. */
export function placeWithin(place: Place, name: string, isList: boolean): Place {
  switch (place) {
    case 'free':
      return 'free';
    case 'conversation':
      if (FREE_FORM_IN_CONVERSATION.has(name)) return 'free';
      return TOOLS_IN_CONVERSATION.has(name) ? 'settings' : 'conversation';
    case 'models':
      if (namesModels(name)) return 'models';
      return NON_MODEL_SETTINGS.has(name) ? placeWithin('settings', name, isList) : 'models';
    case 'strict':
      return placeOfNaming(name, isList) ?? (name === 'tools' ? 'settings' : 'strict');
    case 'settings':
      if (FREE_FORM.has(name)) return 'free';
      if (isList && CONVERSATIONS.has(name)) return 'conversation';
      return placeOfNaming(name, isList) ?? 'settings';
    default:
      return place satisfies never;
  }
}

const placeOfNaming = (name: string, isList: boolean): Place | null =>
  NAMES_MODELS.test(name) || (isList && NAMES_MODEL.test(name)) ? 'models' : null;

/** Tools that the client runs. The provider does not read models in them. */
const CLIENT_TOOL_TYPES: ReadonlySet<unknown> = new Set([undefined, null, 'function', 'custom']);

/** Whether an entry of `tools` is a vendor tool, or a list of tools, which can name models. */
export const isVendorTool = (tool: unknown): boolean =>
  typeof tool === 'object' &&
  tool !== null &&
  (Array.isArray(tool) || !CLIENT_TOOL_TYPES.has((tool as { type?: unknown }).type));

/** Returns the models in one of `MODEL_FIELDS`, including duplicates, in linear time. One list keeps its order. */
export function modelsIn(field: string, json: Readonly<Record<string, unknown>>): string[] {
  const search = new ModelSearch();
  search.inspectField('strict', field, json[field]);
  search.inspectNested();
  return search.models;
}

interface ModelsInside {
  readonly models: readonly string[];
  /** The body contains `fallbacks: "default"`, so the provider chooses models. */
  readonly providerChooses: boolean;
}

const IN_BRACKETS = /\[([a-z_]+)\]$/;

/**
 * Returns the models that a body names outside of a top-level `model` string and `MODEL_FIELDS`, in linear time.
 * @param everywhere false searches only `NESTING_FIELDS`
 */
export function modelsInside(json: Readonly<Record<string, unknown>>, everywhere = true): ModelsInside {
  const search = new ModelSearch();
  for (const name of Object.keys(json)) {
    if (MODEL_FIELDS.includes(name)) continue;
    const value = json[name];
    // Stage 7 checks its type on the routes that require it.
    if (name === 'model' && (typeof value === 'string' || Array.isArray(value))) continue;
    const field = IN_BRACKETS.exec(name)?.[1];
    const outermost = field === undefined ? name : name.slice(0, name.indexOf('['));
    if (!everywhere && !NESTING_FIELDS.has(outermost) && !MODEL_FIELDS.includes(outermost)) continue;
    // `metadata[model]` is free-form too.
    if (field === undefined || !FREE_FORM.has(outermost)) search.inspectField('settings', field ?? name, value);
  }
  search.inspectNested();
  return search;
}

class ModelSearch {
  readonly models: string[] = [];
  providerChooses = false;
  private readonly values: object[] = [];
  private readonly places: Place[] = [];

  inspectField(place: Place, name: string, value: unknown): void {
    if (typeof value === 'string') return this.inspectText(place, name, value);
    if (typeof value !== 'object' || value === null) return;
    const isList = Array.isArray(value);
    const within = placeWithin(place, name, isList);
    // `model: {id}` names a model as `model` does.
    if (place === 'settings' && !isList && NAMES_MODEL.test(name))
      this.inspect('models', (value as { id?: unknown }).id);
    this.inspect(within, isList && name === 'tools' ? value.filter(isVendorTool) : value);
  }

  inspectNested(): void {
    for (let value = this.values.pop(); value !== undefined; value = this.values.pop()) {
      const place = this.places.pop()!;
      if (Array.isArray(value)) this.inspectEntries(place, value as readonly unknown[]);
      else this.inspectFields(place, value as Readonly<Record<string, unknown>>);
    }
  }

  private inspectEntries(place: Place, entries: readonly unknown[]): void {
    // `for…of` takes four times as long for millions of numbers.
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at];
      if (typeof entry === 'object' || typeof entry === 'string') this.inspect(place, entry);
    }
  }

  private inspectFields(place: Place, fields: Readonly<Record<string, unknown>>): void {
    // `Object.keys` would create an array for each of half a million objects.
    for (const name in fields) this.inspectField(place, name, fields[name]);
  }

  private inspectText(place: Place, name: string, text: string): void {
    if (place === 'conversation' || place === 'free') return;
    if (place === 'settings' && name === 'fallbacks' && text === 'default') this.providerChooses = true;
    else if (namesModels(name) || (place === 'models' && !NON_MODEL_SETTINGS.has(name))) this.models.push(text);
  }

  private inspect(place: Place, value: unknown): void {
    if (place === 'free') return;
    if (typeof value === 'object' && value !== null) {
      this.values.push(value);
      this.places.push(place);
    } else if (place === 'models' && typeof value === 'string') this.models.push(value);
  }
}
