import { describe, expect, test } from '@jest/globals';
import { responseText } from '../../../../src/proxy/metering/estimate/response-text.js';

const whole = (response: unknown) => responseText(Buffer.from(JSON.stringify(response)), 'json').texts;
const streamed = (...events: unknown[]) =>
  responseText(Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')), 'sse').texts;
const choice = (message: object, index = 0) => ({ choices: [{ index, message }] });
const delta = (message: object, index = 0) => ({ choices: [{ index, delta: message }] });

describe('text of a hostile response', () => {
  const HOSTILE = { toString: null, valueOf: null };

  test('a choice, a call or an event whose index is an object has the text of one without an index', () => {
    const choices = [
      { index: HOSTILE, message: { content: 'a', tool_calls: [{ index: HOSTILE, function: { name: 'b' } }] } },
    ];
    expect(whole({ choices, candidates: [{ index: HOSTILE, content: { parts: [{ text: 'c' }] } }] })).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(streamed({ type: 'x.delta', output_index: HOSTILE, index: HOSTILE, delta: 'd' })).toEqual(['d']);
  });

  test('arguments that are nested too deeply for the stack count as the beginning of their JSON', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const json = `{"content":[{"type":"tool_use","name":"f","input":${deep}}]}`;
    expect(responseText(Buffer.from(json), 'json').texts.join('')).toBe(`f${deep}`);
  });
});

describe('text of a whole response', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['the text of a chat response', choice({ content: 'a' }), ['a']],
    ['the text of a chat response in blocks', choice({ content: [{ type: 'text', text: 'a' }] }), ['a']],
    ['the text of a completion', { choices: [{ index: 0, text: 'a' }] }, ['a']],
    ['reasoning_content', choice({ content: 'a', reasoning_content: 'b' }), ['a', 'b']],
    ['reasoning', choice({ reasoning: 'b' }), ['b']],
    ['the refusal of a chat response', choice({ content: null, refusal: 'a' }), ['a']],
    [
      'the names of tool calls',
      choice({
        tool_calls: [
          { index: 0, function: { name: 'f' } },
          { index: 1, function: { name: 'g' } },
        ],
      }),
      ['f', 'g'],
    ],
    [
      'the arguments of a tool call',
      choice({ tool_calls: [{ function: { name: 'f', arguments: '{}' } }] }),
      ['f', '{}'],
    ],
    ['a call of a custom tool', choice({ tool_calls: [{ custom: { name: 'f', input: 'a' } }] }), ['f', 'a']],
    ['a deprecated function_call', choice({ function_call: { name: 'f', arguments: '{}' } }), ['f', '{}']],
    [
      'the choices separately',
      {
        choices: [
          { index: 0, text: 'a' },
          { index: 1, text: 'b' },
        ],
      },
      ['a', 'b'],
    ],
    ['the text of a candidate', { candidates: [{ content: { parts: [{ text: 'a' }, { text: 'b' }] } }] }, ['ab']],
    [
      'the candidates separately',
      { candidates: [{ content: { parts: [{ text: 'a' }] } }, { index: 1, content: { parts: [{ text: 'b' }] } }] },
      ['a', 'b'],
    ],
    [
      'the call of a candidate',
      { candidates: [{ content: { parts: [{ functionCall: { name: 'f' } }] } }] },
      ['{"name":"f"}'],
    ],
    ['the text of a Messages response', { content: [{ type: 'text', text: 'a' }] }, ['a']],
    [
      'the blocks of a Messages response as one text',
      { content: [{ text: 'a' }, { thinking: 'b' }, { refusal: 'c' }, { type: 'tool_use', name: 'f' }, { text: 'd' }] },
      ['abcfd'],
    ],
    ['the thinking of a Messages response', { content: [{ type: 'thinking', thinking: 'a' }] }, ['a']],
    [
      'the tool call of a Messages response',
      { content: [{ type: 'tool_use', name: 'f', input: { a: 1 } }] },
      ['f{"a":1}'],
    ],
    [
      "a call of a provider's tool",
      { content: [{ type: 'server_tool_use', name: 'f', input: { a: 1 } }] },
      ['f{"a":1}'],
    ],
    ['nothing for the name of an image', { content: [{ type: 'image', name: 'x', input: { a: 1 } }] }, []],
    ['the text of a Responses response', { output: [{ content: [{ type: 'output_text', text: 'a' }] }] }, ['a']],
    ['the refusal of a Responses response', { output: [{ content: [{ type: 'refusal', refusal: 'a' }] }] }, ['a']],
    ['the reasoning of a Responses response', { output: [{ summary: [{ type: 'summary_text', text: 'a' }] }] }, ['a']],
    ['each item of a Responses response', { output: [{ content: [{ text: 'a' }] }, { name: 'f' }] }, ['a', 'f']],
    [
      'the function call of a Responses response',
      { output: [{ type: 'function_call', name: 'f', arguments: '{}' }] },
      ['f', '{}'],
    ],
    [
      'the other calls of a Responses response',
      { output: [{ name: 'f', input: 'a' }, { code: 'b' }] },
      ['f', 'a', 'b'],
    ],
    ['the joined chunks of a stream in one array', [delta({ content: 'a' }), delta({ content: 'b' })], ['ab']],
    ['nothing for fields of the wrong type', { choices: 'a', candidates: [7], output: {}, content: null, type: 7 }, []],
    [
      'nothing for arrays of null',
      [
        null,
        { choices: [null, { message: { tool_calls: [null] } }], candidates: [null], output: [null], content: [null] },
      ],
      [],
    ],
    ['nothing for an empty candidate', { candidates: [{ content: { parts: [null, {}] } }] }, []],
    ['nothing for an error', { error: { message: 'a' } }, []],
  ])('counts %s', (_what, response, expected) => {
    expect(whole(response)).toEqual(expected);
  });

  test('returns only the name of a tool call whose input is empty or missing', () => {
    const call = (input?: object | null) => ({ content: [{ type: 'tool_use', name: 'f', input }] });
    expect([whole(call({})), whole(call()), whole(call(null))]).toEqual([['f'], ['f'], ['f']]);
  });

  test('returns the text of a truncated response', () => {
    expect(responseText(Buffer.from('{"choices":[{"message":{"content":"a b'), 'json').texts).toEqual(['a b']);
  });

  test('adds no framing tokens to a response', () => {
    expect(responseText(Buffer.from('{}'), 'json')).toEqual({ texts: [], framingTokens: 0 });
  });

  test('counts the choices by their highest index, even those without text', () => {
    const chunk = (index: unknown) => `data: ${JSON.stringify({ choices: [{ index, delta: {} }] })}\n\n`;
    const choices = (...indexes: unknown[]) => responseText(Buffer.from(indexes.map(chunk).join('')), 'sse').choices;
    expect(choices(0, 2, 1)).toBe(3);
    expect(choices(undefined)).toBe(1);
    expect(choices(null)).toBe(1);
    expect(choices('9', -5, 1e300, {})).toBeUndefined();
  });
});

describe('text of a streamed response', () => {
  test('joins the text, reasoning and refusal of each choice separately', () => {
    expect(
      streamed(
        delta({ content: 'a' }),
        delta({ content: 'A' }, 1),
        delta({ content: 'b' }),
        delta({ content: 'B' }, 1),
        delta({ reasoning_content: 'c' }),
        delta({ reasoning_content: 'C' }, 1),
        delta({ reasoning: 'd' }),
        delta({ refusal: 'e' }),
        delta({ refusal: 'E' }, 1),
        delta({ refusal: 'f' }),
      ),
    ).toEqual(['ab', 'AB', 'cd', 'C', 'ef', 'E']);
  });

  test('joins the name and arguments of each tool call separately', () => {
    const call = (index: number, called: object) => ({ tool_calls: [{ index, function: called }] });
    expect(
      streamed(
        delta(call(0, { name: 'f', arguments: '' })),
        delta(call(1, { name: 'g', arguments: '' })),
        delta(call(0, { arguments: '{' })),
        delta(call(1, { arguments: '[' })),
        delta(call(0, { arguments: '}' })),
        delta(call(1, { arguments: ']' })),
        delta(call(0, { name: 'h', arguments: '7' }), 1),
      ),
    ).toEqual(['f', 'g', '{}', '[]', 'h', '7']);
  });

  test('joins the input of custom tool calls', () => {
    const call = (custom: object) => delta({ tool_calls: [{ index: 0, custom }] });
    expect(streamed(call({ name: 'f', input: '' }), call({ input: 'a' }), call({ input: 'b' }))).toEqual(['f', 'ab']);
    const event = { type: 'response.custom_tool_call_input.delta', output_index: 0 };
    expect(streamed({ ...event, delta: 'a' }, { ...event, delta: 'b' })).toEqual(['ab']);
  });

  test('joins the text of each candidate separately from its calls', () => {
    const candidate = (index: number, part: object) => ({ candidates: [{ index, content: { parts: [part] } }] });
    expect(
      streamed(
        candidate(0, { text: 'a' }),
        candidate(1, { text: 'A' }),
        candidate(0, { text: 'b' }),
        candidate(0, { functionCall: {} }),
      ),
    ).toEqual(['ab', 'A', '{}']);
  });

  test('joins the text, thinking and tool calls of a Messages stream by block', () => {
    const start = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block });
    const piece = (index: number, piece: object) => ({ type: 'content_block_delta', index, delta: piece });
    expect(
      streamed(
        start(0, { type: 'thinking', thinking: '' }),
        piece(0, { thinking: 'a' }),
        piece(0, { thinking: 'b' }),
        start(1, { type: 'text', text: '' }),
        piece(1, { text: 'c' }),
        piece(1, { text: 'd' }),
        start(2, { type: 'tool_use', name: 'f', input: {} }),
        piece(2, { partial_json: '{' }),
        piece(2, { partial_json: '}' }),
        { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      ),
    ).toEqual(['ab', 'cd', 'f', '{}']);
  });

  test('joins the text of a Responses stream by item, and ignores the repetition at the end', () => {
    const event = (type: string, output_index: number, more: object) => ({
      type: `response.${type}`,
      output_index,
      ...more,
    });
    expect(
      streamed(
        event('output_text.delta', 0, { delta: 'a' }),
        event('output_text.delta', 0, { delta: 'b' }),
        event('output_text.done', 0, { text: 'ab', delta: 'ab' }),
        event('output_text.delta', 1, { delta: 'c' }),
        event('output_item.added', 2, { item: { type: 'function_call', name: 'f' } }),
        event('output_item.done', 2, { item: { type: 'function_call', name: 'f again' } }),
        event('function_call_arguments.delta', 1, { delta: '{}' }),
        event('audio.delta', 3, { delta: 'UklGRg' }),
        event('completed', 0, { response: { output: [{ content: [{ text: 'ab' }] }] } }),
      ),
    ).toEqual(['ab', 'c', 'f', '{}']);
  });

  test('returns nothing for events without the field that their type promises', () => {
    expect(streamed({ type: 'response.output_item.added' }, { type: 'content_block_delta', delta: null })).toEqual([]);
  });

  test('ignores comments, [DONE] and a truncated event', () => {
    const bytes = Buffer.from(
      `: comment\n\ndata: [DONE]\n\ndata: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\ndata: {"cho`,
    );
    expect(responseText(bytes, 'sse').texts).toEqual(['a']);
  });

  test('joins the text of NDJSON, including a last line without a line feed', () => {
    const line = (text: string) => JSON.stringify({ candidates: [{ content: { parts: [{ text }] } }] });
    expect(responseText(Buffer.from(`${line('a')}\n${line('b')}`), 'ndjson').texts).toEqual(['ab']);
  });

  test('reads only its part of a larger buffer', () => {
    const event = 'data: {"choices":[{"text":"a"}]}\n\n';
    const bytes = new Uint8Array(Buffer.from(`${event}${event}${event}`));
    expect(responseText(bytes.subarray(event.length, 2 * event.length), 'sse').texts).toEqual(['a']);
  });
});
