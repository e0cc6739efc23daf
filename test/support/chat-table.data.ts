import {
  booleans,
  functionNames,
  integers,
  names,
  needed,
  numbers,
  objects,
  passes,
  rejected,
  type Row,
} from './field-rows.js';

export const BASE = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] };

const VOICES = [
  'alloy',
  'ash',
  'ballad',
  'cedar',
  'coral',
  'echo',
  'fable',
  'marin',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
];
const FORMATS = ['aac', 'flac', 'mp3', 'opus', 'pcm16', 'pcm24', 'wav'];
const FN = { type: 'function', function: { name: 'f' } };
const message = (patch: object) => ({ messages: [{ role: 'user', content: 'hi', ...patch }] });
const fn = (patch: object) => ({ tools: [{ type: 'function', function: { name: 'f', ...patch } }] });
const chosen = (tool_choice: unknown) => ({ tools: [FN], tool_choice });
const think = (patch: object) => ({ thinking: { type: 'enabled', budget_tokens: 2048, ...patch } });
const format = (json_schema: unknown) => ({ response_format: { type: 'json_schema', json_schema } });
const schema = (patch: object) => format({ name: 'n', ...patch });
const predicted = (content: unknown) => ({ prediction: { type: 'content', content } });
const spoken = (audio: unknown) => ({ modalities: ['text', 'audio'], audio });
const voice = (patch: object) => ({ audio: { voice: 'alloy', ...patch } });

/** Valid and invalid values of each chat field, with the expected errors. */
export const CHAT_TABLE: Record<string, Row[]> = {
  model: [
    ...passes('model', ['', 'm'.repeat(200), '🌍'.repeat(200), 'vendor/name']),
    ...rejected('invalid_value', 'model', ['m'.repeat(201), '🌍'.repeat(201)]),
    ...needed('model', [5, true, ['gpt-4o'], { id: 'gpt-4o' }]),
  ],
  messages: [
    ...['system', 'user', 'assistant', 'tool', 'function', 'developer'].flatMap((role) =>
      passes('role', [role], (value) => message({ role: value })),
    ),
    ...passes('content', [undefined, null, 7, [], [{ type: 'anything' }], {}], (content) => message({ content })),
    ...needed('messages', ['hi', 1, true, {}]),
    ...rejected('invalid_value', 'messages', [[]]),
    ...rejected('invalid_type', 'messages[0]', ['hi', 1, null, []], (entry) => ({ messages: [entry] })),
    ...needed('messages[0].role', [1, {}, ['user']], (role) => message({ role })),
    ...rejected('invalid_value', 'messages[0].role', ['User', '', 'constructor', 'root'], (role) => message({ role })),
    ...rejected('invalid_value', 'messages[2].role', ['x'], (role) => ({
      messages: [...BASE.messages, ...BASE.messages, { role }],
    })),
    ...rejected('missing_required_parameter', 'messages[1].role', [{}], (entry) => ({
      messages: [...BASE.messages, entry],
    })),
  ],
  stream: booleans('stream'),
  stream_options: [
    ...objects('stream_options', [{ include_usage: true }, {}, { other: 1 }], (value) => ({
      stream: true,
      stream_options: value,
    })),
    ...booleans('stream_options.include_usage', (include_usage) => ({
      stream: true,
      stream_options: { include_usage },
    })),
    ...rejected('invalid_value', 'stream_options', [undefined, null, false], (stream) => ({
      stream,
      stream_options: { include_usage: true },
    })),
    ...passes('stream_options', [null]),
  ],
  temperature: numbers('temperature', { min: 0, max: 2 }),
  top_p: numbers('top_p', { min: 0, max: 1 }),
  max_tokens: integers('max_tokens', { min: 1 }),
  max_completion_tokens: integers('max_completion_tokens', { min: 1 }),
  n: integers('n', { min: 1 }),
  stop: [
    ...passes('stop', ['', '\n', [], ['a'], ['a', 'b', 'c', 'd'], null]),
    ...rejected('invalid_value', 'stop', [['a', 'b', 'c', 'd', 'e']]),
    ...rejected('invalid_type', 'stop', [7, true, { a: 1 }]),
    ...rejected('invalid_type', 'stop[0]', [1, null, ['a']], (entry) => ({ stop: [entry] })),
    ...rejected('invalid_type', 'stop[2]', [null, 3], (entry) => ({ stop: ['a', 'b', entry] })),
  ],
  presence_penalty: numbers('presence_penalty', { min: -2, max: 2 }),
  frequency_penalty: numbers('frequency_penalty', { min: -2, max: 2 }),
  logit_bias: [
    ...objects('logit_bias', [{}, { 50256: -100, 1: 100, 2: 0.5 }]),
    ...rejected('invalid_value', 'logit_bias.50256', [-100.01, 100.01, 101], (bias) => ({
      logit_bias: { 1: 0, 50256: bias },
    })),
    ...rejected('invalid_type', 'logit_bias.50256', ['1', null, true, {}], (bias) => ({ logit_bias: { 50256: bias } })),
  ],
  logprobs: booleans('logprobs'),
  top_logprobs: [
    ...integers('top_logprobs', { min: 0, max: 20 }, (value) => ({ logprobs: true, top_logprobs: value })),
    ...rejected('invalid_value', 'top_logprobs', [undefined, null, false], (logprobs) => ({
      logprobs,
      top_logprobs: 0,
    })),
  ],
  parallel_tool_calls: booleans('parallel_tool_calls'),
  user: [
    ...passes('user', ['', 'u'.repeat(256), '🌍'.repeat(256), null]),
    ...rejected('invalid_value', 'user', ['u'.repeat(257), '🌍'.repeat(257)]),
    ...rejected('invalid_type', 'user', [7, true, ['u'], {}]),
  ],
  seed: integers('seed', {}),
  store: booleans('store'),
  service_tier: names('service_tier', ['auto', 'default', 'flex', 'scale']),
  reasoning_effort: names('reasoning_effort', ['low', 'medium', 'high', 'auto']),
  max_reasoning_tokens: integers('max_reasoning_tokens', { min: 0 }),
  thinking: [
    ...objects('thinking', [
      { type: 'disabled' },
      { type: 'disabled', budget_tokens: 1 },
      { type: 'enabled', budget_tokens: 1024 },
    ]),
    ...needed('thinking.type', [1, true, {}], (type) => think({ type })),
    ...rejected('invalid_value', 'thinking.type', ['auto', 'Enabled', '', 'constructor'], (type) => think({ type })),
    ...needed('thinking.budget_tokens', ['1024', true, [1024]], (budget_tokens) => think({ budget_tokens })),
    ...rejected('invalid_value', 'thinking.budget_tokens', [1023, 0, -1, 1024.5], (budget_tokens) =>
      think({ budget_tokens }),
    ),
  ],
  modalities: [
    ...passes('modalities', [['text'], ['text', 'text'], null]),
    ...passes('modalities', [['audio'], ['text', 'audio']], (modalities) => ({
      modalities,
      audio: { voice: 'alloy' },
    })),
    ...rejected('invalid_value', 'modalities', [[]]),
    ...rejected('invalid_type', 'modalities', ['text', 1, true, {}]),
    ...rejected('invalid_value', 'modalities[1]', ['video', 'Text', ''], (entry) => ({ modalities: ['text', entry] })),
    ...rejected('invalid_type', 'modalities[0]', [1, null, ['text']], (entry) => ({ modalities: [entry] })),
  ],
  audio: [
    ...objects('audio', [{ voice: 'alloy' }, { voice: 'verse', format: 'wav', other: 1 }]),
    ...needed('audio', ['x', 1, []], spoken),
    ...needed('audio.voice', [1, { id: 'alloy' }], (value) => voice({ voice: value })),
    ...VOICES.flatMap((value) => passes('voice', [{ voice: value }], spoken)),
    ...rejected('invalid_value', 'audio.voice', ['Alloy', 'robot', ''], (value) => voice({ voice: value })),
    ...names('audio.format', FORMATS, (value) => voice({ format: value })),
  ],
  top_k: integers('top_k', { min: 1 }),
  min_p: numbers('min_p', { min: 0, max: 1 }),
  top_a: numbers('top_a', { min: 0, max: 1 }),
  repetition_penalty: [
    ...passes('repetition_penalty', [0.001, 1, 1000, null]),
    ...rejected('invalid_value', 'repetition_penalty', [0, -0.001, -1]),
    ...rejected('invalid_type', 'repetition_penalty', ['1', true, [1], {}]),
  ],
  thinking_config: [
    ...objects('thinking_config', [{ thinking_budget: 0 }, {}]),
    ...integers('thinking_config.thinking_budget', { min: 0 }, (thinking_budget) => ({
      thinking_config: { thinking_budget },
    })),
  ],
  transforms: [
    ...passes('transforms', [[], ['middle-out'], ['a', 'a', 'b', 'c', 'd'], null]),
    ...rejected('invalid_type', 'transforms', ['x', 1, true, {}]),
    ...rejected('invalid_value', 'transforms[0]', [''], (entry) => ({ transforms: [entry] })),
    ...rejected('invalid_type', 'transforms[1]', [1, null, []], (entry) => ({ transforms: ['a', entry] })),
  ],
  provider: objects('provider', [{}, { order: ['a'], deep: { x: [null] } }]),
  prediction: [
    ...objects('prediction', [
      { type: 'content', content: 'x' },
      { type: 'content', content: [{ type: 'text', text: '' }] },
    ]),
    ...needed('prediction.type', [1, {}], (type) => ({ prediction: { type, content: 'x' } })),
    ...rejected('invalid_value', 'prediction.type', ['text', 'Content', ''], (type) => ({
      prediction: { type, content: 'x' },
    })),
    ...needed('prediction.content', [1, true, {}], predicted),
    ...rejected('invalid_value', 'prediction.content', ['', []], predicted),
    ...rejected('invalid_type', 'prediction.content[0]', ['x', 1, null, []], (part) => predicted([part])),
    ...needed('prediction.content[0].type', [1, {}], (type) => predicted([{ type, text: 'x' }])),
    ...rejected('invalid_value', 'prediction.content[0].type', ['image', ''], (type) =>
      predicted([{ type, text: 'x' }]),
    ),
    ...needed('prediction.content[1].text', [1, {}, []], (text) =>
      predicted([
        { type: 'text', text: '' },
        { type: 'text', text },
      ]),
    ),
  ],
  functions: [
    ...passes('functions', [[], [{ name: 'f' }, { name: 'g', description: 7, parameters: 'any' }], null]),
    ...rejected('invalid_type', 'functions', ['x', 1, true, {}]),
    ...rejected('invalid_type', 'functions[1]', ['f', 1, null, []], (entry) => ({ functions: [{ name: 'f' }, entry] })),
    ...functionNames('functions[0].name', (name) => ({ functions: [{ name }] })),
  ],
  function_call: [
    ...passes('function_call', ['none', 'auto', { name: 'f' }, null]),
    ...rejected('invalid_value', 'function_call', ['required', 'Auto', '']),
    ...rejected('invalid_type', 'function_call', [1, true, ['auto']]),
    ...needed('function_call.name', [1, {}, ['f']], (name) => ({ function_call: { name } })),
  ],
  web_search_options: objects('web_search_options', [{}, { search_context_size: 'low' }]),
  tools: [
    ...passes('tools', [
      [FN],
      Array.from({ length: 20 }, (_, i) => ({ type: 'function', function: { name: `f${i}` } })),
      null,
    ]),
    ...rejected('invalid_value', 'tools', [[]]),
    ...rejected('invalid_type', 'tools', ['x', 1, true, {}]),
    ...rejected('invalid_type', 'tools[0]', ['f', 7, null, []], (tool) => ({ tools: [tool] })),
    ...rejected('invalid_type', 'tools[2]', [3], (tool) => ({ tools: [FN, FN, tool] })),
    ...needed('tools[0].type', [1, {}], (type) => ({ tools: [{ ...FN, type }] })),
    ...rejected('invalid_value', 'tools[0].type', ['custom', 'Function', '', '__proto__'], (type) => ({
      tools: [{ ...FN, type }],
    })),
    ...needed('tools[0].function', ['f', 1, []], (value) => ({ tools: [{ type: 'function', function: value }] })),
    ...rejected('missing_required_parameter', 'tools[1].function.name', [{}], (value) => ({
      tools: [FN, { type: 'function', function: value }],
    })),
    ...functionNames('tools[0].function.name', (name) => fn({ name })),
    ...passes('description', ['', 'd', null], (description) => fn({ description })),
    ...rejected('invalid_type', 'tools[0].function.description', [1, {}, []], (description) => fn({ description })),
    ...objects('tools[0].function.parameters', [{}, { type: 'object', properties: {} }], (parameters) =>
      fn({ parameters }),
    ),
    ...booleans('tools[0].function.strict', (strict) => fn({ strict })),
  ],
  tool_choice: [
    ...passes('tool_choice', ['none', 'auto', 'required', FN, null], chosen),
    ...rejected('invalid_value', 'tool_choice', ['any', 'AUTO', ''], chosen),
    ...rejected('invalid_type', 'tool_choice', [1, true, ['auto']], chosen),
    ...needed('tool_choice.type', [1], (type) => chosen({ ...FN, type })),
    ...rejected('invalid_value', 'tool_choice.type', ['tool', 'constructor'], (type) => chosen({ ...FN, type })),
    ...needed('tool_choice.function', ['f', 1, []], (value) => chosen({ type: 'function', function: value })),
    ...needed('tool_choice.function.name', [1, {}], (name) => chosen({ type: 'function', function: { name } })),
    ...rejected('invalid_value', 'tool_choice.function.name', [''], (name) =>
      chosen({ type: 'function', function: { name } }),
    ),
    ...passes('name', ['any name', 'n'.repeat(65)], (name) => chosen({ type: 'function', function: { name } })),
  ],
  response_format: [
    ...objects('response_format', [
      { type: 'text' },
      { type: 'json_object' },
      { type: 'json_schema', json_schema: { name: 'n' } },
    ]),
    ...needed('response_format.type', [1, {}], (type) => ({ response_format: { type } })),
    ...rejected('invalid_value', 'response_format.type', ['xml', 'JSON_OBJECT', ''], (type) => ({
      response_format: { type },
    })),
    ...needed('response_format.json_schema', ['x', 1, []], format),
    ...needed('response_format.json_schema.name', [1, {}], (name) => schema({ name })),
    ...rejected('invalid_value', 'response_format.json_schema.name', [''], (name) => schema({ name })),
    ...booleans('response_format.json_schema.strict', (strict) => schema({ strict })),
    ...objects('response_format.json_schema.schema', [{}, { type: 'object' }], (value) => schema({ schema: value })),
  ],
};
