import { describe, expect, test } from 'vitest';
import { requestText } from '../../../src/proxy/usage/estimate/request-text.js';

const read = (request: unknown) => requestText(Buffer.from(JSON.stringify(request)));
const texts = (request: unknown) => read(request).texts;
const content = (...blocks: object[]) => texts({ messages: [{ role: 'user', content: blocks }] });

describe('what a request says is counted', () => {
  test('of all that it may consist of, each text by itself', () => {
    expect(
      texts({
        ...{ system: 'a', instructions: 'b', prompt: 'c', input: 'd', messages: [{ content: 'e' }] },
        ...{ tools: [{ name: 'f', parameters: {} }], functions: [{ name: 'g', parameters: {} }] },
      }),
    ).toEqual(['a', 'b', 'c', 'd', 'e', 'f', '{}', 'g', '{}']);
  });

  test.each<[string, object, readonly string[]]>([
    ['blocks of a system prompt', { system: [{ type: 'text', text: 'a' }] }, ['a']],
    ['blocks of instructions', { instructions: [{ text: 'a' }] }, ['a']],
    ['several prompts', { prompt: ['a', 'b'] }, ['a', 'b']],
    ['tokens as a prompt, which are no text', { prompt: [1, 2] }, []],
    ['several inputs', { input: ['a', 'b'] }, ['a', 'b']],
    ['an input of items', { input: [{ role: 'user', content: 'a' }, 'b'] }, ['a', 'b']],
    ['a call as an item', { input: [{ type: 'function_call', name: 'f', arguments: '{"a":1}' }] }, ['f', '{"a":1}']],
    ['its result', { input: [{ type: 'function_call_output', output: 'a' }] }, ['a']],
    ['reasoning as an item', { input: [{ type: 'reasoning', summary: [{ text: 'a' }] }] }, ['a']],
    ['a message’s name', { messages: [{ name: 'n', content: 'a' }] }, ['n', 'a']],
    ['a message’s refusal', { messages: [{ refusal: 'a' }] }, ['a']],
    ['a message’s reasoning', { messages: [{ reasoning_content: 'a' }] }, ['a']],
    [
      'calls',
      { messages: [{ tool_calls: [{ function: { name: 'f', arguments: '1' } }, { function: { name: 'g' } }] }] },
      ['f', '1', 'g'],
    ],
    ['an older call', { messages: [{ function_call: { name: 'f', arguments: '{}' } }] }, ['f', '{}']],
    ['nothing where there is no text', { messages: [{ content: null }, { content: '' }, null, 7] }, []],
    ['nothing of lists of nothing', { messages: [{ content: [null, 7], tool_calls: [null] }], tools: [null] }, ['{}']],
    ['nothing of fields that are no list', { messages: 'a', tools: 'b', functions: { name: 'c' } }, []],
  ])('%s', (_what, request, expected) => {
    expect(texts(request)).toEqual(expected);
  });

  test('whose names are spelled with escapes, whatever was read before it, whole or cut', () => {
    const said = (name: string) => `{"messages":[{"p3":1,"${name}":"a"}]}`;
    const escaped = Buffer.from(said('\\u0063ontent'));
    requestText(Buffer.from(said('\\\\u0063o')));
    expect(requestText(escaped).texts).toEqual(['a']);
    expect(requestText(escaped.subarray(0, -3)).texts).toEqual(['a']);
  });

  test.each<[string, object, readonly string[]]>([
    ['as chat has it', { type: 'function', function: { name: 'f', description: 'd', parameters: { a: 1 } } }, []],
    ['as responses have it', { type: 'function', name: 'f', description: 'd', parameters: { a: 1 } }, []],
    ['as messages have it', { name: 'f', description: 'd', input_schema: { a: 1 } }, []],
    [
      'of the provider: all that is said of it',
      { type: 'web_search', max_uses: 5 },
      ['{"type":"web_search","max_uses":5}'],
    ],
  ])('a tool %s', (_how, tool, expected) => {
    expect(texts({ tools: [tool] })).toEqual(expected.length > 0 ? expected : ['f', 'd', '{"a":1}']);
  });

  test.each<[string, object, readonly string[]]>([
    ['text', { type: 'text', text: 'a' }, ['a']],
    ['thinking', { type: 'thinking', thinking: 'a', signature: 'x' }, ['a']],
    ['refusal', { type: 'refusal', refusal: 'a' }, ['a']],
    ['a call', { type: 'tool_use', id: 'x', name: 'f', input: { a: 1 } }, ['f', '{"a":1}']],
    ['a call without its input', { type: 'tool_use', name: 'f', input: null }, ['f']],
    ['a call’s result', { type: 'tool_result', content: 'a' }, ['a']],
    ['a call’s result in blocks', { type: 'tool_result', content: [{ type: 'text', text: 'a' }] }, ['a']],
    ['a document', { type: 'document', source: { type: 'text', data: 'a' } }, ['a']],
    ['no picture', { type: 'image', source: { type: 'base64', data: 'x' } }, []],
    ['no file', { type: 'file', name: 'x', input: { a: 1 }, file: { file_data: 'x' } }, []],
  ])('a block of %s', (_what, block, expected) => {
    expect(content(block)).toEqual(expected);
  });

  test('several blocks, each by itself', () => {
    expect(content({ text: 'a' }, { thinking: 'b' }, { text: 'c' })).toEqual(['a', 'b', 'c']);
  });

  test('blocks within blocks, four deep and no deeper', () => {
    const nested = (depth: number): object =>
      depth === 0 ? { text: 'innermost' } : { text: `${depth}`, content: [nested(depth - 1)] };
    expect(content(nested(3))).toEqual(['3', '2', '1', 'innermost']);
    expect(content(nested(4))).toEqual(['4', '3', '2', '1']);
  });

  test('where it was cut, as far as it goes', () => {
    expect(requestText(Buffer.from('{"messages":[{"role":"user","content":"a b')).texts).toEqual(['a b']);
  });
});

describe('what the format adds', () => {
  test.each<[string, object, number]>([
    [
      'a message is four tokens, the beginning of the answer three',
      { messages: [{ content: 'a' }, { content: 'b' }] },
      11,
    ],
    ['a name is one', { messages: [{ name: 'n', content: 'a' }], tools: [{ name: 'f' }] }, 9],
    ['an item of an input is as a message', { input: [{ content: 'a' }, { content: 'b' }] }, 8],
    ['text alone is nothing', { input: ['a', 'b'], prompt: 'c', system: 'd', tools: [{ type: 'web_search' }] }, 0],
  ])('%s', (_what, request, expected) => {
    expect(read(request).framingTokens).toBe(expected);
  });
});
