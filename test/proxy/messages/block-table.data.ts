import { needed, passes, rejected, type Row } from '../../support/field-rows.js';

const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };
const URL_IMAGE = { type: 'image', source: { type: 'url', url: 'https://example.test/a.png' } };
const TOOL_USE = { type: 'tool_use', id: 't1', name: 'f', input: {} };
const TOOL_RESULT = { type: 'tool_result', tool_use_id: 't1' };
const DOCUMENT = { type: 'document', source: { type: 'base64', data: 'aGk=' } };
const inSource = (block: { source: object }, patch: object) => ({ ...block, source: { ...block.source, ...patch } });

/** Returns the rows for all rules of a content block. `put` sets an array in the body, and its second element is the block. */
export function BLOCK_ROWS(param: string, put: (content: unknown) => Record<string, unknown>): Row[] {
  const at = `${param}[1]`;
  const block = (value: unknown) => put([{ type: 'text', text: 'first' }, value]);
  const nonEmpty = (field: string, make: (value: unknown) => unknown): Row[] => [
    ...needed(`${at}.${field}`, [1, true, [], {}], (value) => block(make(value))),
    ...rejected('invalid_value', `${at}.${field}`, [''], (value) => block(make(value))),
  ];
  const source = (base: { source: object }, known: string[]): Row[] => [
    ...needed(`${at}.source`, ['s', 1, true, []], (value) => block({ ...base, source: value })),
    ...needed(`${at}.source.type`, [1, true, {}], (type) => block(inSource(base, { type }))),
    ...rejected('invalid_value', `${at}.source.type`, ['file', '', 'URL', 'constructor'], (type) =>
      block(inSource(base, { type })),
    ),
    ...passes(`${at}.source`, known, (type) => block(inSource(base, { type, url: 'u', data: 'd' }))),
  ];
  return [
    ...rejected('invalid_type', at, ['text', 1, null, []], block),
    ...needed(`${at}.type`, [1, true, {}, []], (type) => block({ type, text: 't' })),
    ...passes(
      `${at}.type`,
      ['thinking', 'redacted_thinking', 'search_result', '', 'constructor', '__proto__'],
      (type) => block({ type, source: 1, text: 2 }),
    ),
    ...passes(at, ['', 'text'], (text) => block({ type: 'text', text, cache_control: { type: 'ephemeral' } })),
    ...needed(`${at}.text`, [1, true, [], {}], (text) => block({ type: 'text', text })),
    ...passes(at, [IMAGE, URL_IMAGE, TOOL_USE, TOOL_RESULT, DOCUMENT], block),
    ...source(IMAGE, ['base64', 'url']),
    ...rejected('invalid_value', `${at}.source.type`, ['text'], (type) => block(inSource(IMAGE, { type, data: 'd' }))),
    ...needed(`${at}.source.media_type`, [1, {}], (media_type) => block(inSource(IMAGE, { media_type }))),
    ...passes(at, ['image/jpeg', 'image/png', 'image/gif', 'image/webp'], (media_type) =>
      block(inSource(IMAGE, { media_type })),
    ),
    ...rejected('invalid_value', `${at}.source.media_type`, ['image/bmp', 'IMAGE/PNG', ''], (media_type) =>
      block(inSource(IMAGE, { media_type })),
    ),
    ...nonEmpty('source.data', (data) => inSource(IMAGE, { data })),
    ...nonEmpty('source.url', (url) => inSource(URL_IMAGE, { url })),
    ...nonEmpty('id', (id) => ({ ...TOOL_USE, id })),
    ...nonEmpty('name', (name) => ({ ...TOOL_USE, name })),
    ...needed(`${at}.input`, ['{}', 1, true, []], (input) => block({ ...TOOL_USE, input })),
    ...nonEmpty('tool_use_id', (tool_use_id) => ({ ...TOOL_RESULT, tool_use_id })),
    ...passes(at, ['', 'done', [], [{ type: 'image' }], [1], null, undefined], (content) =>
      block({ ...TOOL_RESULT, content }),
    ),
    ...rejected('invalid_type', `${at}.content`, [1, true, {}], (content) => block({ ...TOOL_RESULT, content })),
    ...source(DOCUMENT, ['base64', 'url', 'text']),
    ...nonEmpty('source.data', (data) => inSource(DOCUMENT, { data })),
    ...nonEmpty('source.data', (data) => inSource(DOCUMENT, { type: 'text', data })),
    ...nonEmpty('source.url', (url) => inSource(DOCUMENT, { type: 'url', url })),
  ];
}
