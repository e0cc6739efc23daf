import { describe, expect, test } from '@jest/globals';
import { requestText } from '../../../src/proxy/metering/estimate/request-text.js';

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
    ['nothing of lists of nothing', { messages: [{ content: [null, 7], tool_calls: [null] }], tools: [null] }, []],
    ['fields that should be lists', { messages: 'a', tools: 'b', functions: { name: 'c' } }, ['a', 'b', 'c']],
    [
      'a call of a tool of one’s own',
      { messages: [{ tool_calls: [{ custom: { name: 'f', input: 'a' } }] }] },
      ['f', 'a'],
    ],
    [
      'such a call as an item',
      { input: [{ type: 'custom_tool_call', call_id: 'c', name: 'f', input: 'a' }] },
      ['f', 'a'],
    ],
    ['what is predicted', { prediction: { type: 'content', content: 'a' } }, ['a']],
    ['variables of a prompt', { prompt: { id: 'p', variables: { url: 'a', b: { text: 'c' } } } }, ['a', 'c']],
    ['a schema', { response_format: { json_schema: { name: 'n', schema: { a: 1 } } } }, ['n', '{"a":1}']],
    ['a schema of responses', { text: { format: { type: 'json_schema', schema: { url: 'a' } } } }, ['{"url":"a"}']],
    ['what nobody knows', { documents: [{ title: 'a', x: { y: ['b'] } }], zz: 'c' }, ['a', 'b', 'c']],
    ['a long name', { zz: { ['n'.repeat(65)]: 1 } }, ['n'.repeat(65)]],
    ['no settings', { model: 'm', user: 'u', stop: ['s'], metadata: { a: 'b' }, reasoning: { effort: 'low' } }, []],
  ])('%s', (_what, request, expected) => {
    expect(texts(request)).toEqual(expected);
  });

  test('whose names are spelled with escapes, whatever was read before it', () => {
    const said = (name: string) => `{"messages":[{"p3":1,"${name}":"a"}]}`;
    const escaped = Buffer.from(said('\\u0063ontent'));
    requestText(Buffer.from(said('\\\\u0063o')));
    expect(requestText(escaped).texts).toEqual(['a']);
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
    ['no file', { type: 'file', file: { file_data: 'x' } }, []],
    ['a document’s context', { type: 'document', context: 'a', source: { type: 'url', url: 'https://a.b/c' } }, ['a']],
    [
      'a document that was fetched',
      {
        type: 'web_fetch_tool_result',
        tool_use_id: 'x',
        content: { url: 'https://a.b', content: { type: 'document', source: { type: 'text', data: 'a' } } },
      },
      ['a'],
    ],
    ['what nobody knows', { type: 'new', new: { say: 'a' } }, ['a']],
  ])('a block of %s', (_what, block, expected) => {
    expect(content(block)).toEqual(expected);
  });

  test('several blocks, each by itself', () => {
    expect(content({ text: 'a' }, { thinking: 'b' }, { text: 'c' })).toEqual(['a', 'b', 'c']);
  });

  test('blocks within blocks, however deep', () => {
    const nested = (depth: number): object =>
      depth === 0 ? { text: 'innermost' } : { text: `${depth}`, content: [nested(depth - 1)] };
    expect(content(nested(9))).toEqual(['9', '8', '7', '6', '5', '4', '3', '2', '1', 'innermost']);
  });

  test.each([
    ['that is no JSON', '{"messages":[{"role":"user","content":"a b'],
    ['that is nested beyond all measure', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('as it is written where it is one %s', (_what, body) => {
    expect(requestText(Buffer.from(body))).toEqual({ texts: [body], framingTokens: 0 });
  });
});

describe('images, audio and files are not text', () => {
  const BYTES = 'iVBORw0KGgo/+aZ_-'.repeat(40) + '==';
  const URL = `data:image/png;base64,${BYTES}`;

  test.each<[string, object]>([
    ['an image of chat', { type: 'image_url', image_url: { url: URL, detail: 'high' } }],
    ['an image of messages', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: BYTES } }],
    ['an image of responses', { type: 'input_image', image_url: URL }],
    ['an image that was made', { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: BYTES }],
    ['an address', { type: 'image_url', image_url: { url: 'https://a.b/c.png?d=1&e=%20#f' } }],
    ['audio', { type: 'input_audio', input_audio: { data: BYTES, format: 'wav' } }],
    ['a video', { type: 'video_url', video_url: { url: `data:video/mp4;base64,${BYTES}` } }],
    ['a file', { type: 'file', file: { file_data: `data:application/pdf;name=a.pdf;base64,${BYTES}` } }],
    ['a list of them', { images: [BYTES, BYTES] }],
    ['in lines', { inline_data: { mime_type: 'image/png', data: `${BYTES}\r\n${BYTES}\n` } }],
    ['what is sealed', { type: 'redacted_thinking', data: BYTES, signature: BYTES, encrypted_content: BYTES }],
  ])('%s', (_what, block) => {
    expect(content(block)).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['under the name of a text', { type: 'text', text: BYTES }, BYTES],
    ['under a name that is not known', { say: URL }, URL],
    ['in a document of text', { type: 'document', source: { type: 'text', data: BYTES } }, BYTES],
    ['in a call', { type: 'tool_use', input: { data: BYTES } }, JSON.stringify({ data: BYTES })],
  ])('but what looks like them is, %s', (_where, block, text) => {
    expect(content(block)).toEqual([text]);
  });

  test.each([
    ['words', 'not base64'],
    ['a data URL of words', 'data:text/plain,not%20base64 at all'],
    ['words after bytes', `data:image/png;base64,${BYTES} and words`],
    ['an endless address', `https://a.b/${'c'.repeat(4096)}`],
    ['an address with words', 'https://a.b/c and words'],
  ])('and %s under their names are', (_what, text) => {
    expect(content({ image_url: { url: text } })).toEqual([text]);
  });

  test('and a text under the name of an id is', () => {
    const text = 'a'.repeat(65);
    expect(content({ tool_use_id: text, type: text, role: text.slice(1) })).toEqual([text, text]);
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
