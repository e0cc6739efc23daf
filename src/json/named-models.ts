/** Members that name replacement models. */
export const FALLBACKS = ['fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks'] as const;

/**
 * Top-level members, besides `model`, in which providers let a caller name models: fallbacks, plugins, routers, provider
 * options and vendor tools (D29). Members of other names are searched by `modelsInside`.
 */
export const NAMING_MEMBERS = [
  ...['models', ...FALLBACKS, 'default_fallbacks', 'context_window_fallback_dict'],
  ...['plugins', 'tools', 'web_search_options', 'providerOptions', 'provider_options', 'compound_custom', 'extra_body'],
  ...['user_config', 'router_settings_override', 'model_list', 'model_group_alias'],
] as readonly string[];

/**
 * Other top-level members in which the vendors' schemas name models, at some depth. With `GW_PROFILE=specification` a member
 * of another name is an unknown field, which is forwarded; with `GW_PROFILE=current` every member is searched.
 */
const NESTING_MEMBERS: ReadonlySet<string> = new Set([
  ...[
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
  ],
  ...[
    'audio',
    'input_audio_transcription',
    'method',
    'grader',
    'testing_criteria',
    'data_source',
    'agent',
    'multiagent',
  ],
  ...['target'],
]);

/** A member whose strings are models, in any list, object or map: `models`, `analysis_models`, `fallbacks`. */
const NAMES_MODELS = /(?:^|_)(?:models|fallbacks)$|^(?:context_window_fallback_dict|model_group_alias)$/;
/** A member whose string is a model. */
const NAMES_MODEL = /(?:^|_)model$/;

/** Whether a member of this name holds one model or several. */
export const namesModels = (name: string): boolean => NAMES_MODEL.test(name) || NAMES_MODELS.test(name);

/** Settings of a fallback that any request can have. Their strings are not models. */
const OTHER_TEXTS: ReadonlySet<string> = new Set([
  ...['messages', 'system', 'prompt', 'input', 'instructions', 'suffix', 'stop', 'stop_sequences', 'response_format'],
  ...['tools', 'tool_choice', 'functions', 'function_call', 'modalities', 'include', 'betas', 'metadata', 'user'],
  ...['thinking', 'reasoning', 'reasoning_effort', 'verbosity', 'service_tier', 'provider', 'api_base', 'api_key'],
  ...['output_config', 'output_format', 'speed'],
]);

/** Lists of messages and items. Only tools name models there; a `model` of a message or of its usage is a record. */
const CONVERSATIONS: ReadonlySet<string> = new Set(['messages', 'additional_messages', 'input', 'items']);

/** Members that hold the caller's own data: the vendors' schemas leave their content open. */
const FREE_FORM: ReadonlySet<string> = new Set([
  ...[
    'metadata',
    'request_metadata',
    'parameters',
    'input_schema',
    'output_schema',
    'schema',
    'item_schema',
    'item',
    'sample',
    'data',
  ],
  ...['arguments', 'annotations', 'attributes', 'variables', 'state_variables', 'input_examples', 'headers', 'env'],
  ...['filters', 'tool_choice'],
]);
/** The same within a conversation, where `input` holds the arguments of a tool call. */
const FREE_FORM_IN_CONVERSATION: ReadonlySet<string> = new Set([...FREE_FORM, 'input', 'error', 'trigger']);
/** Within a conversation, the members that define tools. */
const TOOLS_IN_CONVERSATION: ReadonlySet<string> = new Set(['tools', 'tool']);

/**
 * The rule by which members name models at some place of a body. In `settings`, a member that is called like a model is one.
 * The same applies in `strict`, where no member is free-form. In a `conversation`, only tools name models. In `models`, every
 * string is a model. In `free`, no string is.
 */
export type Place = 'settings' | 'strict' | 'conversation' | 'models' | 'free';

/** The place within the list or object that is the member `name` at `place`. */
export function placeWithin(place: Place, name: string, isList: boolean): Place {
  switch (place) {
    case 'free':
      return 'free';
    case 'conversation':
      if (FREE_FORM_IN_CONVERSATION.has(name)) return 'free';
      return TOOLS_IN_CONVERSATION.has(name) ? 'settings' : 'conversation';
    case 'models':
      if (namesModels(name)) return 'models';
      return OTHER_TEXTS.has(name) ? placeWithin('settings', name, isList) : 'models';
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

/** Types of tools that the client executes itself. The provider does not read models in them. */
const OWN_TOOLS: ReadonlySet<unknown> = new Set([undefined, null, 'function', 'custom']);

/** Whether this entry of `tools` is a vendor tool, in which the provider can read models. */
export const isOfVendor = (tool: unknown): boolean =>
  typeof tool === 'object' && tool !== null && !OWN_TOOLS.has((tool as { type?: unknown }).type);

/**
 * The models that the top-level member `json[member]` names, one of `NAMING_MEMBERS`: those of one list in its order,
 * repeats included. Linear in its size at any depth.
 */
export function modelsIn(member: string, json: Readonly<Record<string, unknown>>): string[] {
  const search = new ModelSearch();
  search.lookAtMember('strict', member, json[member]);
  search.lookInside();
  return search.models;
}

interface ModelsInside {
  /** Repeats included. */
  readonly models: readonly string[];
  /** `fallbacks: "default"` stands somewhere: the provider chooses models. */
  readonly providerChooses: boolean;
}

/** Forms name a member of an object so: `svg[model]`. */
const IN_BRACKETS = /\[([a-z_]+)\]$/;

/**
 * The models that a body names outside of a top-level `model` string and `NAMING_MEMBERS`: tools within conversations,
 * batches, graders, sessions, moderation. Linear in the size of the body at any depth.
 * @param everywhere false: only `NESTING_MEMBERS` are searched
 */
export function modelsInside(json: Readonly<Record<string, unknown>>, everywhere = true): ModelsInside {
  const search = new ModelSearch();
  for (const name of Object.keys(json)) {
    if (NAMING_MEMBERS.includes(name)) continue;
    const value = json[name];
    // Stage 7 judges its type on the routes that require it.
    if (name === 'model' && (typeof value === 'string' || Array.isArray(value))) continue;
    const member = IN_BRACKETS.exec(name)?.[1];
    const outermost = member === undefined ? name : name.slice(0, name.indexOf('['));
    if (!everywhere && !NESTING_MEMBERS.has(outermost)) continue;
    // A field such as `metadata[model]` is free-form too.
    if (member === undefined || !FREE_FORM.has(outermost)) search.lookAtMember('settings', member ?? name, value);
  }
  search.lookInside();
  return search;
}

class ModelSearch {
  readonly models: string[] = [];
  providerChooses = false;
  /** Lists and objects yet to be searched, and the place of each. */
  private readonly values: object[] = [];
  private readonly places: Place[] = [];

  lookAtMember(place: Place, name: string, value: unknown): void {
    if (typeof value === 'string') return this.lookAtText(place, name, value);
    if (typeof value !== 'object' || value === null) return;
    const isList = Array.isArray(value);
    const within = placeWithin(place, name, isList);
    // `model: {id}` names a model as `model` does.
    if (place === 'settings' && !isList && NAMES_MODEL.test(name))
      this.lookAt('models', (value as { id?: unknown }).id);
    this.lookAt(within, isList && name === 'tools' ? value.filter(isOfVendor) : value);
  }

  lookInside(): void {
    for (let value = this.values.pop(); value !== undefined; value = this.values.pop()) {
      const place = this.places.pop()!;
      if (Array.isArray(value)) for (const entry of value) this.lookAt(place, entry);
      else this.lookAtMembers(place, value as Readonly<Record<string, unknown>>);
    }
  }

  private lookAtMembers(place: Place, members: Readonly<Record<string, unknown>>): void {
    // `Object.entries` would make an array for each of a million members.
    for (const name of Object.keys(members)) this.lookAtMember(place, name, members[name]);
  }

  private lookAtText(place: Place, name: string, text: string): void {
    if (place === 'conversation' || place === 'free') return;
    if (place === 'settings' && name === 'fallbacks' && text === 'default') this.providerChooses = true;
    else if (namesModels(name) || (place === 'models' && !OTHER_TEXTS.has(name))) this.models.push(text);
  }

  private lookAt(place: Place, value: unknown): void {
    if (place === 'free') return;
    if (typeof value === 'object' && value !== null) {
      this.values.push(value);
      this.places.push(place);
    } else if (place === 'models' && typeof value === 'string') this.models.push(value);
  }
}
