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
import { BLOCK_ROWS } from './block-table.data.js';

/** The smallest valid body. */
export const BASE = { model: 'claude-3-haiku-20240307', max_tokens: 16, messages: [{ role: 'user', content: 'hi' }] };

const TOOL = { name: 'f', input_schema: {} };
const VENDOR_TOOL = { type: 'computer_20241022', name: 'computer' };
const user = { role: 'user', content: 'u' };
const assistant = { role: 'assistant', content: 'a' };
const turns = (...messages: unknown[]) => ({ messages });
const turn = (patch: object) => turns({ ...user, ...patch });
const tool = (patch: object) => ({ tools: [{ ...TOOL, ...patch }] });
const vendorTool = (patch: object) => ({ tools: [TOOL, { ...VENDOR_TOOL, ...patch }] });
const chosen = (patch: object) => ({ tool_choice: { type: 'tool', name: 'f', ...patch } });
const think = (patch: object) => ({ thinking: { type: 'enabled', budget_tokens: 2048, ...patch } });
const inTurn = (content: unknown) => turn({ content });
const inSystem = (system: unknown) => ({ system });

/** Valid and invalid values of each field, in the order of validation. */
export const MESSAGE_TABLE: Record<string, Row[]> = {
  model: [
    ...passes('model', ['', 'm'.repeat(200), 'vendor/name']),
    ...rejected('invalid_value', 'model', ['m'.repeat(201)]),
    ...needed('model', [5, true, ['m'], { id: 'm' }]),
  ],
  max_tokens: [
    ...passes('max_tokens', [1, 2, 2 ** 40]),
    ...rejected('invalid_value', 'max_tokens', [0, -1, 1.5, 1e999]),
    ...needed('max_tokens', ['1', true, [1], {}]),
  ],
  messages: [
    ...passes('messages', [[user], [user, assistant], [user, assistant, user]]),
    ...needed('messages', ['hi', 1, true, {}]),
    ...rejected('invalid_value', 'messages', [[]]),
    ...rejected('invalid_type', 'messages[0]', ['hi', 1, null, []], (entry) => turns(entry)),
    ...rejected('invalid_type', 'messages[1]', ['hi', 1, null, []], (entry) => turns(user, entry)),
    ...needed('messages[0].role', [1, {}, ['user']], (role) => turn({ role })),
    ...rejected(
      'invalid_value',
      'messages[0].role',
      ['assistant', 'User', '', 'system', 'tool', 'constructor', ' user'],
      (role) => turn({ role }),
    ),
    ...rejected('invalid_value', 'messages[1].role', ['user', 'system'], (role) => turns(user, { ...user, role })),
    ...rejected('invalid_value', 'messages[2].role', ['assistant'], (role) =>
      turns(user, assistant, { ...user, role }),
    ),
    ...needed('messages[1].content', [1, true, {}], (content) => turns(user, { ...assistant, content })),
    ...passes('content', ['', [], 'text'], (content) => turn({ content })),
    ...BLOCK_ROWS('messages[0].content', inTurn),
  ],
  system: [
    ...passes('system', ['', 'Be brief.', [], null, undefined]),
    ...rejected('invalid_type', 'system', [1, true, {}]),
    ...BLOCK_ROWS('system', inSystem),
  ],
  temperature: numbers('temperature', { min: 0, max: 1 }),
  top_p: numbers('top_p', { min: 0, max: 1 }),
  top_k: integers('top_k', { min: 1 }),
  stream: booleans('stream'),
  stop_sequences: [
    ...passes('stop_sequences', [[], ['a'], ['a', 'b', 'c', ''], null]),
    ...rejected('invalid_value', 'stop_sequences', [['a', 'b', 'c', 'd', 'e']]),
    ...rejected('invalid_type', 'stop_sequences', ['a', 1, true, {}]),
    ...rejected('invalid_type', 'stop_sequences[2]', [1, null, ['a'], {}], (entry) => ({
      stop_sequences: ['a', 'b', entry],
    })),
  ],
  tools: [
    ...passes('tools', [[TOOL], [TOOL, VENDOR_TOOL], [{ ...TOOL, type: 'custom', description: 'd', extra: 1 }], null]),
    ...rejected('invalid_value', 'tools', [[]]),
    ...rejected('invalid_type', 'tools', ['f', 1, true, TOOL]),
    ...rejected('invalid_type', 'tools[0]', ['f', 1, null, []], (entry) => ({ tools: [entry] })),
    ...functionNames('tools[0].name', (name) => tool({ name })),
    ...passes('tools[0].description', ['', 'd', null, undefined], (description) => tool({ description })),
    ...rejected('invalid_type', 'tools[0].description', [1, true, [], {}], (description) => tool({ description })),
    ...passes('tools[0].input_schema', [{}, { type: 'object' }], (input_schema) => tool({ input_schema })),
    ...needed('tools[0].input_schema', ['{}', 1, true, []], (input_schema) => tool({ input_schema })),
    ...needed('tools[0].input_schema', [], (input_schema) => tool({ type: 'custom', input_schema })),
    ...passes('tools[0].type', ['custom', null, undefined], (type) => tool({ type })),
    ...rejected('invalid_type', 'tools[0].type', [1, true, [], {}], (type) => tool({ type })),
    ...rejected('missing_required_parameter', 'tools[0].name', [{ name: 'f' }], (fn) => ({
      tools: [{ type: 'function', function: fn }],
    })),
    ...passes(
      'tools[1].type',
      ['computer_20241022', 'text_editor_20241022', 'bash_20241022', 'web_search_20250305', 'made_up_20991231'],
      (type) => vendorTool({ type }),
    ),
    ...needed('tools[1].name', [1, true, [], {}], (name) => vendorTool({ name })),
    ...passes('tools[1].input_schema', [undefined, null, {}, 'anything'], (input_schema) =>
      vendorTool({ input_schema }),
    ),
  ],
  tool_choice: [
    ...objects('tool_choice', [{ type: 'auto' }, { type: 'any' }, { type: 'tool', name: 'f' }]),
    ...names('tool_choice.type', ['auto', 'any'], (type) => ({ tool_choice: { type } })).filter(
      // The field is required inside its object, so null is not valid.
      ({ patch, violation }) => violation !== null || (patch['tool_choice'] as { type: unknown }).type !== null,
    ),
    ...needed('tool_choice.type', [1, true], (type) => ({ tool_choice: { type } })),
    ...rejected('invalid_value', 'tool_choice.type', ['none', 'required', 'function'], (type) => chosen({ type })),
    ...needed('tool_choice.name', [1, true, [], {}], (name) => chosen({ name })),
    ...rejected('invalid_value', 'tool_choice.name', [''], (name) => chosen({ name })),
  ],
  thinking: [
    ...objects('thinking', [{ type: 'disabled' }, { type: 'enabled', budget_tokens: 1024 }]),
    ...needed('thinking.type', [1, true, {}], (type) => think({ type })),
    ...rejected('invalid_value', 'thinking.type', ['adaptive', '', 'Enabled'], (type) => think({ type })),
    ...needed('thinking.budget_tokens', ['1024', true, {}], (budget_tokens) => think({ budget_tokens })),
    ...rejected('invalid_value', 'thinking.budget_tokens', [1023, 1024.5, 0, -1], (budget_tokens) =>
      think({ budget_tokens }),
    ),
  ],
  betas: [
    ...passes('betas', [[], ['computer-use-2024-10-22'], ['a', 'b,c', ''], ['x'.repeat(8_192)], null]),
    ...rejected('invalid_type', 'betas', ['a', 1, true, {}]),
    ...rejected('invalid_type', 'betas[0]', [1, null, ['a'], {}], (entry) => ({ betas: [entry] })),
    ...rejected('invalid_value', 'betas[1]', ['line\r\nx-other: 1', 'tab\t', 'ünï', '\0'], (entry) => ({
      betas: ['a', entry],
    })),
    ...rejected('invalid_value', 'betas', [['x'.repeat(8_193)], Array.from({ length: 4_097 }, () => 'xy')]),
  ],
  metadata: [
    ...objects('metadata', [{}, { user_id: 'u' }, { user_id: '' }, { user_id: null }, { other: 1 }]),
    ...rejected('invalid_type', 'metadata.user_id', [1, true, [], {}], (user_id) => ({ metadata: { user_id } })),
  ],
};
