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
} from '../../support/field-rows.js';

/** The smallest valid body. */
export const BASE = { model: 'gpt-4o-mini', input: 'hi' };

const FLAT = { type: 'function', name: 'f' };
const NESTED = { type: 'function', function: { name: 'f' } };
const flat = (patch: object) => ({ tools: [{ ...FLAT, ...patch }] });
const nested = (fn: unknown) => ({ tools: [{ type: 'function', function: fn }] });
const chosen = (tool_choice: unknown) => ({ tools: [FLAT], tool_choice });
const schema = (json_schema: unknown) => ({ response_format: { type: 'json_schema', json_schema } });
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']));
const texts = (param: string): Row[] => [
  ...passes(param, ['', 'text', '👋'.repeat(300), null]),
  ...rejected('invalid_type', param, [1, true, [], {}]),
];

/** Tools of types that the vendor supports but the table does not list. */
export const OTHER_TOOLS = [
  { type: 'web_search_preview' },
  { type: 'file_search', vector_store_ids: ['vs_1'] },
  { type: 'computer_use_preview', display_width: 1, display_height: 1, environment: 'linux' },
  { type: 'mcp', server_label: 's', server_url: 'https://example.test' },
  { type: 'custom', name: 'n' },
  { type: '' },
  { type: 'Function', name: 'f' },
];

/** Valid and invalid values of each field, in the order of validation. */
export const RESPONSE_TABLE: Record<string, Row[]> = {
  model: [
    ...passes('model', ['', 'm'.repeat(200)]),
    ...rejected('invalid_value', 'model', ['m'.repeat(201)]),
    ...needed('model', [5, true, ['gpt-4o'], { id: 'gpt-4o' }]),
  ],
  input: [
    ...passes('input', ['', 'hi', [{ role: 'user', content: 'hi' }], ['x', 1, null, { type: 'made_up' }]]),
    ...rejected('invalid_value', 'input', [[]]),
    ...needed('input', [1, true, {}]),
  ],
  instructions: texts('instructions'),
  previous_response_id: texts('previous_response_id'),
  user: [
    ...passes('user', ['', 'u'.repeat(256), '👋'.repeat(256), null]),
    ...rejected('invalid_value', 'user', ['u'.repeat(257), '👋'.repeat(257)]),
    ...rejected('invalid_type', 'user', [1, true, [], {}]),
  ],
  max_output_tokens: [
    ...integers('max_output_tokens', { min: 16 }),
    ...rejected('invalid_value', 'max_output_tokens', [0]),
  ],
  temperature: numbers('temperature', { min: 0, max: 2 }),
  top_p: numbers('top_p', { min: 0, max: 1 }),
  stream: booleans('stream'),
  store: booleans('store'),
  parallel_tool_calls: booleans('parallel_tool_calls'),
  truncation: names('truncation', ['auto', 'disabled']),
  metadata: [
    ...objects('metadata', [{}, { k: '' }, { k: 'v'.repeat(512) }, { ['k'.repeat(64)]: '👋'.repeat(512) }, pairs(16)]),
    ...rejected('invalid_value', 'metadata', [pairs(17), { ['k'.repeat(65)]: 'v' }]),
    ...rejected('invalid_value', 'metadata.key', ['v'.repeat(513), '👋'.repeat(513)], (key) => ({ metadata: { key } })),
    ...rejected('invalid_type', 'metadata.key', [1, true, null, [], {}], (key) => ({ metadata: { a: 'v', key } })),
  ],
  reasoning: [
    ...objects('reasoning', [{}, { effort: 'high', summary: 'auto' }, { other: 1 }]),
    ...names('reasoning.effort', ['low', 'medium', 'high'], (effort) => ({ reasoning: { effort } })),
    ...rejected('invalid_value', 'reasoning.effort', ['auto', 'minimal', 'none'], (effort) => ({
      reasoning: { effort },
    })),
    ...passes('reasoning.summary', ['', 'auto', 'anything', null], (summary) => ({ reasoning: { summary } })),
    ...rejected('invalid_type', 'reasoning.summary', [1, true, [], {}], (summary) => ({ reasoning: { summary } })),
  ],
  response_format: [
    ...objects('response_format', [{ type: 'text' }, { type: 'json_object' }, schema({ name: 'n' }).response_format]),
    ...needed('response_format.type', [1, true, {}], (type) => ({ response_format: { type } })),
    ...rejected('invalid_value', 'response_format.type', ['xml', '', 'Text'], (type) => ({
      response_format: { type },
    })),
    ...needed('response_format.json_schema', ['n', 1, true, []], schema),
    ...needed('response_format.json_schema.name', [1, true, {}], (name) => schema({ name })),
    ...rejected('invalid_value', 'response_format.json_schema.name', [''], (name) => schema({ name })),
  ],
  tools: [
    ...passes('tools', [[FLAT], [NESTED], [FLAT, NESTED], [{ ...FLAT, parameters: {}, strict: null, extra: 1 }], null]),
    ...rejected('invalid_value', 'tools', [[]]),
    ...rejected('invalid_type', 'tools', ['f', 1, true, FLAT]),
    ...rejected('invalid_type', 'tools[1]', ['f', 1, null, []], (entry) => ({ tools: [FLAT, entry] })),
    ...needed('tools[0].type', [1, true, {}], (type) => flat({ type })),
    ...rejected(
      'invalid_value',
      'tools[1].type',
      OTHER_TOOLS.map(({ type }) => type),
      (type) => ({
        tools: [FLAT, { type, name: 'f' }],
      }),
    ),
    ...functionNames('tools[0].name', (name) => flat({ name })),
    ...needed('tools[0].name', [], (name) => flat({ name, function: null })),
    ...rejected('invalid_type', 'tools[0].function', ['f', 1, true, []], nested),
    ...functionNames('tools[0].function.name', (name) => nested({ name })),
  ],
  tool_choice: [
    ...passes('tool_choice', ['none', 'auto', 'required', FLAT, NESTED, { ...FLAT, name: 'any name' }, null]),
    ...rejected('invalid_value', 'tool_choice', ['bogus', '', 'None', 'function', 'constructor']),
    ...rejected('invalid_type', 'tool_choice', [1, true, [FLAT]]),
    ...needed('tool_choice.type', [1, true, {}], (type) => chosen({ type, name: 'f' })),
    ...rejected('invalid_value', 'tool_choice.type', ['web_search_preview', 'allowed_tools'], (type) =>
      chosen({ type }),
    ),
    ...needed('tool_choice.name', [1, true, [], {}], (name) => chosen({ type: 'function', name })),
    ...rejected('invalid_value', 'tool_choice.name', [''], (name) => chosen({ type: 'function', name })),
    ...rejected('invalid_type', 'tool_choice.function', ['f', 1, true, []], (fn) => chosen({ ...FLAT, function: fn })),
    ...needed('tool_choice.function.name', [1, {}], (name) => chosen({ type: 'function', function: { name } })),
    ...rejected('invalid_value', 'tool_choice.function.name', [''], (name) =>
      chosen({ type: 'function', function: { name } }),
    ),
  ],
};
