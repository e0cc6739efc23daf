/*
 * Where a request body selects a model (D29). The model gate checks the texts at these places. All other texts are the caller's data.
 * If a place is missing here, keys can use models that are blocked for them. `models-in-body.ts` applies these tables.
 */

/** Fields with this name contain the ID of one model: `model`, `summary_model`. */
export const MODEL_NAME = /(?:^|_)model$/;
/** Fields with this name contain IDs of models in any list, object or map: `models`, `analysis_models`, `fallbacks`. */
export const MODELS_NAME = /(?:^|_)(?:models|fallbacks)$|^(?:context_window_fallback_dict|model_group_alias)$/;

export const FALLBACKS = ['fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks'] as const;

/** Top-level fields in which providers accept models besides `model`. They are always searched, and nothing in them is free-form. */
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

/** Other top-level fields in which the vendors' schemas nest models. Only `GW_PROFILE=current` also searches all remaining fields. */
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

/** Lists in which only tools name models. The `model` of a past message or its usage is a record. */
export const CONVERSATIONS: ReadonlySet<string> = new Set(['messages', 'additional_messages', 'input', 'items']);

/** Fields of a conversation whose content is searched for models like other settings. */
export const TOOLS_IN_CONVERSATION: ReadonlySet<string> = new Set(['tools', 'tool']);

/** Tools that the client runs, by their `type`. The provider does not read models in them. */
export const CLIENT_TOOL_TYPES: ReadonlySet<unknown> = new Set([undefined, null, 'function', 'custom']);

/** Fields with the caller's own data, which the vendors' schemas do not restrict. */
export const FREE_FORM: ReadonlySet<string> = new Set([
  'metadata',
  'request_metadata',
  'parameters',
  'input_schema',
  'output_schema',
  'schema',
  'item_schema',
  'json_schema',
  'response_schema',
  // Fields of Ollama, and vLLM's current and former fields for structured outputs.
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
export const FREE_FORM_IN_CONVERSATION: ReadonlySet<string> = new Set([...FREE_FORM, 'input', 'error', 'trigger']);

/** Settings that a fallback can contain beside its model. Their texts are not models. */
export const FALLBACK_SETTINGS: ReadonlySet<string> = new Set([
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
