import { describe, expect, test } from '@jest/globals';
import { responseText } from '../../../src/proxy/metering/estimate/response-text.js';

const whole = (answer: unknown) => responseText(Buffer.from(JSON.stringify(answer)), 'json').texts;
const streamed = (...events: unknown[]) =>
  responseText(Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')), 'sse').texts;
const choice = (message: object, index = 0) => ({ choices: [{ index, message }] });
const delta = (message: object, index = 0) => ({ choices: [{ index, delta: message }] });

describe('what a whole answer says is counted', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['text', choice({ content: 'a' }), ['a']],
    ['text in blocks', choice({ content: [{ type: 'text', text: 'a' }] }), ['a']],
    ['text of a completion', { choices: [{ index: 0, text: 'a' }] }, ['a']],
    ['reasoning', choice({ content: 'a', reasoning_content: 'b' }), ['a', 'b']],
    ['reasoning by its other name', choice({ reasoning: 'b' }), ['b']],
    ['a refusal', choice({ content: null, refusal: 'a' }), ['a']],
    [
      'calls',
      choice({
        tool_calls: [
          { index: 0, function: { name: 'f' } },
          { index: 1, function: { name: 'g' } },
        ],
      }),
      ['f', 'g'],
    ],
    ['a call’s arguments', choice({ tool_calls: [{ function: { name: 'f', arguments: '{}' } }] }), ['f', '{}']],
    ['a call of a tool of one’s own', choice({ tool_calls: [{ custom: { name: 'f', input: 'a' } }] }), ['f', 'a']],
    ['an older call', choice({ function_call: { name: 'f', arguments: '{}' } }), ['f', '{}']],
    [
      'each choice',
      {
        choices: [
          { index: 0, text: 'a' },
          { index: 1, text: 'b' },
        ],
      },
      ['a', 'b'],
    ],
    ['a candidate', { candidates: [{ content: { parts: [{ text: 'a' }, { text: 'b' }] } }] }, ['ab']],
    [
      'each candidate',
      { candidates: [{ content: { parts: [{ text: 'a' }] } }, { index: 1, content: { parts: [{ text: 'b' }] } }] },
      ['a', 'b'],
    ],
    [
      'a candidate’s call',
      { candidates: [{ content: { parts: [{ functionCall: { name: 'f' } }] } }] },
      ['{"name":"f"}'],
    ],
    ['a message', { content: [{ type: 'text', text: 'a' }] }, ['a']],
    [
      'a message’s blocks, which are one text',
      { content: [{ text: 'a' }, { thinking: 'b' }, { refusal: 'c' }, { type: 'tool_use', name: 'f' }, { text: 'd' }] },
      ['abcfd'],
    ],
    ['a message’s thinking', { content: [{ type: 'thinking', thinking: 'a' }] }, ['a']],
    ['a message’s call', { content: [{ type: 'tool_use', name: 'f', input: { a: 1 } }] }, ['f{"a":1}']],
    ['a call of the provider’s', { content: [{ type: 'server_tool_use', name: 'f', input: { a: 1 } }] }, ['f{"a":1}']],
    ['no name of other blocks', { content: [{ type: 'image', name: 'x', input: { a: 1 } }] }, []],
    ['a response', { output: [{ content: [{ type: 'output_text', text: 'a' }] }] }, ['a']],
    ['a response’s refusal', { output: [{ content: [{ type: 'refusal', refusal: 'a' }] }] }, ['a']],
    ['a response’s reasoning', { output: [{ summary: [{ type: 'summary_text', text: 'a' }] }] }, ['a']],
    ['each item of a response', { output: [{ content: [{ text: 'a' }] }, { name: 'f' }] }, ['a', 'f']],
    ['a response’s call', { output: [{ type: 'function_call', name: 'f', arguments: '{}' }] }, ['f', '{}']],
    ['a response’s other calls', { output: [{ name: 'f', input: 'a' }, { code: 'b' }] }, ['f', 'a', 'b']],
    ['the chunks of a stream as one list', [delta({ content: 'a' }), delta({ content: 'b' })], ['ab']],
    ['nothing of what is not of the format', { choices: 'a', candidates: [7], output: {}, content: null, type: 7 }, []],
    [
      'nothing of lists of nothing',
      [
        null,
        { choices: [null, { message: { tool_calls: [null] } }], candidates: [null], output: [null], content: [null] },
      ],
      [],
    ],
    ['nothing of a candidate that holds nothing', { candidates: [{ content: { parts: [null, {}] } }] }, []],
    ['nothing of an error', { error: { message: 'a' } }, []],
  ])('%s', (_what, answer, expected) => {
    expect(whole(answer)).toEqual(expected);
  });

  test('a call whose input has come with it and one whose input is still to come', () => {
    const call = (input?: object | null) => ({ content: [{ type: 'tool_use', name: 'f', input }] });
    expect([whole(call({})), whole(call()), whole(call(null))]).toEqual([['f'], ['f'], ['f']]);
  });

  test('where it was cut, as far as it goes', () => {
    expect(responseText(Buffer.from('{"choices":[{"message":{"content":"a b'), 'json').texts).toEqual(['a b']);
  });

  test('and its format adds nothing', () => {
    expect(responseText(Buffer.from('{}'), 'json')).toEqual({ texts: [], framingTokens: 0 });
  });
});

describe('the pieces of a stream are joined', () => {
  test('of each choice by itself, its text apart from its reasoning and its refusal', () => {
    expect(
      streamed(
        ...[delta({ content: 'a' }), delta({ content: 'A' }, 1), delta({ content: 'b' }), delta({ content: 'B' }, 1)],
        ...[delta({ reasoning_content: 'c' }), delta({ reasoning_content: 'C' }, 1), delta({ reasoning: 'd' })],
        ...[delta({ refusal: 'e' }), delta({ refusal: 'E' }, 1), delta({ refusal: 'f' })],
      ),
    ).toEqual(['ab', 'AB', 'cd', 'C', 'ef', 'E']);
  });

  test('of each call by itself, its name apart from its arguments', () => {
    const call = (index: number, called: object) => ({ tool_calls: [{ index, function: called }] });
    expect(
      streamed(
        ...[delta(call(0, { name: 'f', arguments: '' })), delta(call(1, { name: 'g', arguments: '' }))],
        ...[delta(call(0, { arguments: '{' })), delta(call(1, { arguments: '[' }))],
        ...[delta(call(0, { arguments: '}' })), delta(call(1, { arguments: ']' }))],
        ...[delta(call(0, { name: 'h', arguments: '7' }), 1)],
      ),
    ).toEqual(['f', 'g', '{}', '[]', 'h', '7']);
  });

  test('of calls of tools of one’s own', () => {
    const call = (custom: object) => delta({ tool_calls: [{ index: 0, custom }] });
    expect(streamed(call({ name: 'f', input: '' }), call({ input: 'a' }), call({ input: 'b' }))).toEqual(['f', 'ab']);
    const event = { type: 'response.custom_tool_call_input.delta', output_index: 0 };
    expect(streamed({ ...event, delta: 'a' }, { ...event, delta: 'b' })).toEqual(['ab']);
  });

  test('of each candidate by itself, apart from its calls', () => {
    const candidate = (index: number, part: object) => ({ candidates: [{ index, content: { parts: [part] } }] });
    expect(
      streamed(
        ...[candidate(0, { text: 'a' }), candidate(1, { text: 'A' }), candidate(0, { text: 'b' })],
        candidate(0, { functionCall: {} }),
      ),
    ).toEqual(['ab', 'A', '{}']);
  });

  test('of a message: text, thinking and calls by their blocks', () => {
    const start = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block });
    const piece = (index: number, piece: object) => ({ type: 'content_block_delta', index, delta: piece });
    expect(
      streamed(
        ...[start(0, { type: 'thinking', thinking: '' }), piece(0, { thinking: 'a' }), piece(0, { thinking: 'b' })],
        ...[start(1, { type: 'text', text: '' }), piece(1, { text: 'c' }), piece(1, { text: 'd' })],
        ...[start(2, { type: 'tool_use', name: 'f', input: {} }), piece(2, { partial_json: '{' })],
        ...[piece(2, { partial_json: '}' }), { type: 'message_delta', delta: { stop_reason: 'tool_use' } }],
      ),
    ).toEqual(['ab', 'cd', 'f', '{}']);
  });

  test('of a response: by its items, and what it repeats at their end is not counted again', () => {
    const event = (type: string, output_index: number, more: object) => ({
      type: `response.${type}`,
      output_index,
      ...more,
    });
    expect(
      streamed(
        ...[event('output_text.delta', 0, { delta: 'a' }), event('output_text.delta', 0, { delta: 'b' })],
        ...[event('output_text.done', 0, { text: 'ab', delta: 'ab' }), event('output_text.delta', 1, { delta: 'c' })],
        ...[event('output_item.added', 2, { item: { type: 'function_call', name: 'f' } })],
        ...[event('output_item.done', 2, { item: { type: 'function_call', name: 'f again' } })],
        ...[event('function_call_arguments.delta', 1, { delta: '{}' }), event('audio.delta', 3, { delta: 'UklGRg' })],
        event('completed', 0, { response: { output: [{ content: [{ text: 'ab' }] }] } }),
      ),
    ).toEqual(['ab', 'c', 'f', '{}']);
  });

  test('and events that lack what they tell of say nothing', () => {
    expect(streamed({ type: 'response.output_item.added' }, { type: 'content_block_delta', delta: null })).toEqual([]);
  });

  test('whatever stands between them', () => {
    const bytes = Buffer.from(
      `: comment\n\ndata: [DONE]\n\ndata: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\ndata: {"cho`,
    );
    expect(responseText(bytes, 'sse').texts).toEqual(['a']);
  });

  test('of NDJSON, also of a last line without its end', () => {
    const line = (text: string) => JSON.stringify({ candidates: [{ content: { parts: [{ text }] } }] });
    expect(responseText(Buffer.from(`${line('a')}\n${line('b')}`), 'ndjson').texts).toEqual(['ab']);
  });

  test('from a part of a larger buffer', () => {
    const event = 'data: {"choices":[{"text":"a"}]}\n\n';
    const bytes = new Uint8Array(Buffer.from(`${event}${event}${event}`));
    expect(responseText(bytes.subarray(event.length, 2 * event.length), 'sse').texts).toEqual(['a']);
  });
});
