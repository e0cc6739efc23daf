import { describe, expect, test } from '@jest/globals';
import { requestText } from '../../../../src/proxy/metering/estimate/request-text.js';

const read = (request: unknown) => requestText(Buffer.from(JSON.stringify(request)));
const texts = (request: unknown) => read(request).texts;
const content = (...blocks: object[]) => texts({ messages: [{ role: 'user', content: blocks }] });

describe('requestText', () => {
  test('counts the token IDs of prompts', () => {
    expect(read({ prompt: [1, 2, 3] })).toEqual({ texts: [], framingTokens: 3 });
    expect(read({ prompt: [[1, 2], [3], 'a'], max_tokens: 9 })).toEqual({ texts: ['a'], framingTokens: 3 });
  });

  test('returns the texts of all fields separately', () => {
    expect(
      texts({
        system: 'a',
        instructions: 'b',
        prompt: 'c',
        input: 'd',
        messages: [{ content: 'e' }],
        tools: [{ name: 'f', parameters: {} }],
        functions: [{ name: 'g', parameters: {} }],
      }),
    ).toEqual(['a', 'b', 'c', 'd', 'e', 'f', '{}', 'g', '{}']);
  });

  test.each<[string, object, readonly string[]]>([
    ['blocks of a system prompt', { system: [{ type: 'text', text: 'a' }] }, ['a']],
    ['blocks of instructions', { instructions: [{ text: 'a' }] }, ['a']],
    ['an array of prompts', { prompt: ['a', 'b'] }, ['a', 'b']],
    ['no text for a prompt of token IDs', { prompt: [1, 2] }, []],
    ['an array of inputs', { input: ['a', 'b'] }, ['a', 'b']],
    ['input items', { input: [{ role: 'user', content: 'a' }, 'b'] }, ['a', 'b']],
    [
      'a function call as an input item',
      { input: [{ type: 'function_call', name: 'f', arguments: '{"a":1}' }] },
      ['f', '{"a":1}'],
    ],
    ['the output of a function call', { input: [{ type: 'function_call_output', output: 'a' }] }, ['a']],
    ['reasoning as an input item', { input: [{ type: 'reasoning', summary: [{ text: 'a' }] }] }, ['a']],
    ['the name in a message', { messages: [{ name: 'n', content: 'a' }] }, ['n', 'a']],
    ['the refusal in a message', { messages: [{ refusal: 'a' }] }, ['a']],
    ['the reasoning in a message', { messages: [{ reasoning_content: 'a' }] }, ['a']],
    [
      'tool calls',
      { messages: [{ tool_calls: [{ function: { name: 'f', arguments: '1' } }, { function: { name: 'g' } }] }] },
      ['f', '1', 'g'],
    ],
    ['a deprecated function_call', { messages: [{ function_call: { name: 'f', arguments: '{}' } }] }, ['f', '{}']],
    ['nothing for messages without text', { messages: [{ content: null }, { content: '' }, null, 7] }, []],
    ['nothing for arrays of null', { messages: [{ content: [null, 7], tool_calls: [null] }], tools: [null] }, []],
    ['fields of the wrong type', { messages: 'a', tools: 'b', functions: { name: 'c' } }, ['a', 'b', 'c']],
    ['a call of a custom tool', { messages: [{ tool_calls: [{ custom: { name: 'f', input: 'a' } }] }] }, ['f', 'a']],
    [
      'a call of a custom tool as an input item',
      { input: [{ type: 'custom_tool_call', call_id: 'c', name: 'f', input: 'a' }] },
      ['f', 'a'],
    ],
    ['a prediction', { prediction: { type: 'content', content: 'a' } }, ['a']],
    [
      'the variables of a stored prompt',
      { prompt: { id: 'p', variables: { url: 'a', b: { text: 'c' } } } },
      ['a', 'c'],
    ],
    [
      'a JSON schema in response_format',
      { response_format: { json_schema: { name: 'n', schema: { a: 1 } } } },
      ['n', '{"a":1}'],
    ],
    [
      'a JSON schema in text.format',
      { text: { format: { type: 'json_schema', schema: { url: 'a' } } } },
      ['{"url":"a"}'],
    ],
    ['strings in unknown fields', { documents: [{ title: 'a', x: { y: ['b'] } }], zz: 'c' }, ['a', 'b', 'c']],
    ['a long field name', { zz: { ['n'.repeat(65)]: 1 } }, ['n'.repeat(65)]],
    [
      'nothing for settings',
      { model: 'm', user: 'u', stop: ['s'], metadata: { a: 'b' }, reasoning: { effort: 'low' } },
      [],
    ],
  ])('counts %s in a request', (_what, request, expected) => {
    expect(texts(request)).toEqual(expected);
  });

  test('reads field names that contain escapes, regardless of what it read before', () => {
    const body = (name: string) => `{"messages":[{"p3":1,"${name}":"a"}]}`;
    const escaped = Buffer.from(body('\\u0063ontent'));
    requestText(Buffer.from(body('\\\\u0063o')));
    expect(requestText(escaped).texts).toEqual(['a']);
  });

  test.each<[string, object, readonly string[]]>([
    ['in the chat format', { type: 'function', function: { name: 'f', description: 'd', parameters: { a: 1 } } }, []],
    ['in the Responses format', { type: 'function', name: 'f', description: 'd', parameters: { a: 1 } }, []],
    ['in the Messages format', { name: 'f', description: 'd', input_schema: { a: 1 } }, []],
    ['that the provider runs, as JSON', { type: 'web_search', max_uses: 5 }, ['{"type":"web_search","max_uses":5}']],
  ])('returns the text of a tool %s', (_how, tool, expected) => {
    expect(texts({ tools: [tool] })).toEqual(expected.length > 0 ? expected : ['f', 'd', '{"a":1}']);
  });

  test.each<[string, object, readonly string[]]>([
    ['type text', { type: 'text', text: 'a' }, ['a']],
    ['type thinking', { type: 'thinking', thinking: 'a', signature: 'x' }, ['a']],
    ['type refusal', { type: 'refusal', refusal: 'a' }, ['a']],
    ['type tool_use', { type: 'tool_use', id: 'x', name: 'f', input: { a: 1 } }, ['f', '{"a":1}']],
    ['type tool_use without input', { type: 'tool_use', name: 'f', input: null }, ['f']],
    ['type tool_result', { type: 'tool_result', content: 'a' }, ['a']],
    ['type tool_result with blocks', { type: 'tool_result', content: [{ type: 'text', text: 'a' }] }, ['a']],
    ['type document', { type: 'document', source: { type: 'text', data: 'a' } }, ['a']],
    ['type image, which has none', { type: 'image', source: { type: 'base64', data: 'x' } }, []],
    ['type file, which has none', { type: 'file', file: { file_data: 'x' } }, []],
    [
      'type document with a context',
      { type: 'document', context: 'a', source: { type: 'url', url: 'https://a.b/c' } },
      ['a'],
    ],
    [
      'type web_fetch_tool_result',
      {
        type: 'web_fetch_tool_result',
        tool_use_id: 'x',
        content: { url: 'https://a.b', content: { type: 'document', source: { type: 'text', data: 'a' } } },
      },
      ['a'],
    ],
    ['an unknown type', { type: 'new', new: { say: 'a' } }, ['a']],
  ])('returns the text of a block of %s', (_what, block, expected) => {
    expect(content(block)).toEqual(expected);
  });

  test('returns the texts of several blocks separately', () => {
    expect(content({ text: 'a' }, { thinking: 'b' }, { text: 'c' })).toEqual(['a', 'b', 'c']);
  });

  test('returns the texts of nested blocks', () => {
    const nested = (depth: number): object =>
      depth === 0 ? { text: 'innermost' } : { text: `${depth}`, content: [nested(depth - 1)] };
    expect(content(nested(9))).toEqual(['9', '8', '7', '6', '5', '4', '3', '2', '1', 'innermost']);
  });

  test.each([
    ['that is not valid JSON', '{"messages":[{"role":"user","content":"a b'],
    ['that is nested 100,000 levels deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('returns the whole body of a request %s', (_what, body) => {
    expect(requestText(Buffer.from(body))).toEqual({ texts: [body], framingTokens: 0 });
  });
});

describe('media in requestText', () => {
  const BYTES = 'iVBORw0KGgo/+aZ_-'.repeat(40) + '==';
  const URL = `data:image/png;base64,${BYTES}`;

  test.each<[string, object]>([
    ['an image in the chat format', { type: 'image_url', image_url: { url: URL, detail: 'high' } }],
    [
      'an image in the Messages format',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: BYTES } },
    ],
    ['an image in the Responses format', { type: 'input_image', image_url: URL }],
    ['a generated image', { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: BYTES }],
    ['the URL of an image', { type: 'image_url', image_url: { url: 'https://a.b/c.png?d=1&e=%20#f' } }],
    ['audio', { type: 'input_audio', input_audio: { data: BYTES, format: 'wav' } }],
    ['a video', { type: 'video_url', video_url: { url: `data:video/mp4;base64,${BYTES}` } }],
    ['a file', { type: 'file', file: { file_data: `data:application/pdf;name=a.pdf;base64,${BYTES}` } }],
    ['an array of images', { images: [BYTES, BYTES] }],
    [
      'an image in base64 with line breaks',
      { inline_data: { mime_type: 'image/png', data: `${BYTES}\r\n${BYTES}\n` } },
    ],
    ['encrypted data', { type: 'redacted_thinking', data: BYTES, signature: BYTES, encrypted_content: BYTES }],
  ])('does not count %s as text', (_what, block) => {
    expect(content(block)).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['in a field of text', { type: 'text', text: BYTES }, BYTES],
    ['in an unknown field', { say: URL }, URL],
    ['in a text document', { type: 'document', source: { type: 'text', data: BYTES } }, BYTES],
    ['in the input of a tool call', { type: 'tool_use', input: { data: BYTES } }, JSON.stringify({ data: BYTES })],
  ])('counts text that looks like media %s', (_where, block, text) => {
    expect(content(block)).toEqual([text]);
  });

  test.each([
    ['words', 'not base64'],
    ['a data URL of words', 'data:text/plain,not%20base64 at all'],
    ['words after base64', `data:image/png;base64,${BYTES} and words`],
    ['a URL of more than 4096 characters', `https://a.b/${'c'.repeat(4096)}`],
    ['a URL followed by words', 'https://a.b/c and words'],
  ])('counts %s in a media field', (_what, text) => {
    expect(content({ image_url: { url: text } })).toEqual([text]);
  });

  test('counts a text of more than 64 characters in a field for IDs', () => {
    const text = 'a'.repeat(65);
    expect(content({ tool_use_id: text, type: text, role: text.slice(1) })).toEqual([text, text]);
  });
});

describe('framing tokens of requestText', () => {
  test.each<[string, object, number]>([
    [
      '4 tokens for each message and 3 for the start of the response',
      { messages: [{ content: 'a' }, { content: 'b' }] },
      11,
    ],
    ['1 token for each name', { messages: [{ name: 'n', content: 'a' }], tools: [{ name: 'f' }] }, 9],
    ['4 tokens for each input item', { input: [{ content: 'a' }, { content: 'b' }] }, 8],
    ['nothing for text alone', { input: ['a', 'b'], prompt: 'c', system: 'd', tools: [{ type: 'web_search' }] }, 0],
  ])('the framing adds %s', (_what, request, expected) => {
    expect(read(request).framingTokens).toBe(expected);
  });
});
