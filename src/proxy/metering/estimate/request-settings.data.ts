/** Top-level members of requests, in any of the formats, that tell the provider what to do and the model nothing. */
export const SETTINGS: ReadonlySet<string> = new Set([
  ...['model', 'models', 'user', 'metadata', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention'],
  ...['stream_options', 'service_tier', 'include', 'betas', 'provider', 'transforms', 'route'],
  ...[
    'stop',
    'stop_sequences',
    'logit_bias',
    'reasoning',
    'reasoning_effort',
    'thinking',
    'thinking_config',
    'verbosity',
  ],
  ...['tool_choice', 'function_call', 'modalities', 'audio', 'truncation', 'truncate', 'conversation', 'container'],
  ...['previous_response_id', 'encoding_format', 'input_type', 'cache_control'],
]);
