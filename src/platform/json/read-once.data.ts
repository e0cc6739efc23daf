/**
 * Fields that every parser must read in the same way (D29), because they decide what a request runs, costs, or is limited to. No name
 * can occur twice. No other name can differ from one of them only by case. `model-fields.data.ts` adds the fields that name models.
 */
export const READ_ONCE: Readonly<Record<string, readonly string[]>> = {
  'stored objects that contain the input or name a model': [
    'input_file_id',
    'training_file',
    'validation_file',
    'eval_id',
    'assistant_id',
    'agent_id',
    'thread_id',
    'previous_response_id',
    'conversation',
    'container',
    'video',
  ],
  'routing and options of a job': [
    'endpoint',
    'thread',
    'provider',
    'route',
    'preset',
    'hyperparameters',
    'completion_window',
  ],
  'text input': ['messages', 'additional_messages', 'system', 'instructions', 'input', 'items', 'prompt', 'suffix'],
  'other input': ['functions', 'prediction', 'cache_control'],
  'amount of text': [
    'max_tokens',
    'max_completion_tokens',
    'max_output_tokens',
    'max_prompt_tokens',
    'max_tokens_to_sample',
    'max_tool_calls',
    'n',
    'best_of',
    'echo',
  ],
  reasoning: ['thinking', 'reasoning', 'reasoning_effort', 'output_config'],
  'amount of media': ['modalities', 'size', 'quality', 'seconds', 'partial_images'],
  price: ['service_tier', 'speed', 'inference_geo'],
  'how usage is reported': ['stream', 'stream_options', 'background'],
};

/**
 * Fields inside of the objects and lists above, to which the same rules apply. `content` counts only directly in a message. Any
 * other name in these objects can have any case, but cannot occur twice.
 */
export const READ_ONCE_INSIDE: readonly string[] = [
  'type',
  'id',
  'params',
  'tools',
  'tool',
  'content',
  'budget_tokens',
  'include_usage',
  'effort',
  'max_uses',
];
