import { describe, expect, test } from '@jest/globals';
import { FormFile } from '../../../../src/platform/validation/form-kinds.js';
import { bytesOf, full, messages, text, typical, wavHead } from './estimates.js';

const CHAT = '/v1/chat/completions';
const COMPLETIONS = '/v1/completions';

describe('input text', () => {
  const json = { model: 'gpt-4o', messages: messages(text(10_000), 'a') };

  test('input text has 2.5 bytes per token and 4 tokens per message', () => {
    expect(typical({ json }).input).toBe(Math.ceil(bytesOf(json) / 2.5) + 8);
  });

  test('input text has one token per byte if the limit reserves the maximum', () => {
    expect(full({ json }).input).toBe(bytesOf(json) + 8);
  });

  test('input text includes tools and their schemas', () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { description: text(5000) } } }];
    expect(full({ json: { ...json, tools } }).input).toBeGreaterThan(full({ json }).input! + 5000);
  });

  test('input text is at least one token', () => {
    expect(typical({ json: {}, body: null }).input).toBeGreaterThanOrEqual(1);
  });
});

describe('output', () => {
  const output = (fields: object, { model = 'gpt-4o', outputExpected = 4096, endpoint = CHAT } = {}) => {
    const given = { json: { messages: messages('a'), ...fields }, model, outputExpected, endpoint };
    return { typical: typical(given).output, full: full(given).output };
  };

  test.each([
    [CHAT, { max_completion_tokens: 100, max_tokens: 200, max_output_tokens: 300 }, 200],
    [CHAT, { max_completion_tokens: null, max_tokens: 200 }, 200],
    [COMPLETIONS, { max_completion_tokens: 100, max_tokens: 200 }, 200],
    ['/v1/messages', { max_completion_tokens: 100, max_tokens: 200 }, 200],
    ['/v1/responses', { max_output_tokens: 300, max_tokens: 1 }, 300],
  ])('the output is the highest maximum that the route reads: %s %j', (endpoint, fields, expected) => {
    expect(output(fields, { endpoint })).toEqual({ typical: expected, full: expected });
  });

  test.each([
    [CHAT, { max_output_tokens: 1 }],
    ['/v1/responses', { max_tokens: 1, max_completion_tokens: 1 }],
  ])('the output is not reduced by a maximum of another route: %s %j', (endpoint, fields) => {
    expect(output(fields, { endpoint }).full).toBe(16_384);
  });

  test.each([
    {},
    { max_tokens: '100' },
    { max_tokens: -1 },
    { max_tokens: 1.5 },
    { max_tokens: 1e300 },
    { max_tokens: [] },
  ])('the output is the maximum of the model if the request has no valid maximum: %j', (fields) =>
    expect(output(fields)).toEqual({ typical: 4096, full: 16_384 }),
  );

  test('the output is the likely figure instead of a high maximum', () => {
    expect(output({ max_tokens: 32_000 }, { model: 'gpt-5', outputExpected: 1500 })).toEqual({
      typical: 1500,
      full: 32_000,
    });
  });

  test('the output is the default for a model with an unknown maximum', () => {
    expect(output({}, { model: 'acme-7' })).toEqual({ typical: 4096, full: 4096 });
  });

  test('the output is the observed output of a model with an unknown maximum, if that is more than the default', () => {
    expect(output({}, { model: 'acme-7', outputExpected: 9000 })).toEqual({ typical: 9000, full: 9000 });
  });

  test('the output is at most the context window of a model without its own maximum', () => {
    expect(output({}, { model: 'meta-llama/llama-3.1-70b-instruct' }).full).toBe(131_072);
  });

  test.each([
    ['gpt-4o', 16_384],
    ['meta-llama/llama-3.1-70b-instruct', 131_072],
    ['acme-7', 1_000_000],
  ])('the output is at most what %s can generate, so that one request cannot hold a shared budget', (model, most) => {
    expect(output({ max_tokens: 2_000_000_000 }, { model }).full).toBe(most);
    expect(output({ max_tokens: 1e300 }, { model }).full).toBe(most);
  });

  test('the output is multiplied by the number of choices', () => {
    expect(output({ max_tokens: 100, n: 3 })).toEqual({ typical: 300, full: 300 });
    expect(output({ max_tokens: 100, n: '3' }).full).toBe(300);
    expect(output({ max_tokens: 100, n: 2, best_of: 5 }, { endpoint: COMPLETIONS }).full).toBe(500);
    expect(output({ max_tokens: 100, n: 1e9 }).full).toBe(1_638_400);
    expect(output({ max_tokens: 100, n: 3 }, { endpoint: '/v1/messages' }).full).toBe(100);
  });

  test('the output is multiplied by the number of prompts of a completion', () => {
    const of = (fields: object) => output({ max_tokens: 100, ...fields }, { endpoint: COMPLETIONS }).full;
    expect(of({ n: 2, prompt: ['a', 'b', 'c'] })).toBe(600);
    expect(of({ prompt: [[1, 2], [3]] })).toBe(200);
    expect(of({ prompt: [1, 2, 3] })).toBe(100);
  });

  test('the output includes a thinking budget above the maximum', () => {
    expect(output({ max_tokens: 1000, thinking: { budget_tokens: 800 } }).full).toBe(1000);
    expect(output({ max_tokens: 1000, thinking: { budget_tokens: 5000 } }).full).toBe(6000);
  });

  test('the output includes the text of a prediction, because its rejected tokens are billed', () => {
    expect(output({ max_tokens: 100, prediction: { type: 'content', content: text(500) } })).toEqual({
      typical: 300,
      full: 600,
    });
    expect(output({ max_tokens: 100, prediction: { content: [{ type: 'text', text: text(50) }] } }).full).toBe(150);
  });

  test('the output is priced as audio or images if the request asks for them', () => {
    const json = { messages: messages('a'), max_tokens: 100 };
    expect(full({ json: { ...json, modalities: ['text', 'audio'] } }).audio_output).toBe(100);
    expect(full({ json: { ...json, modalities: ['image', 'text'] } }).image_output).toBe(100);
    expect(full({ json, model: 'gemini-2.5-flash-image' }).image_output).toBe(100);
  });
});

describe('earlier responses', () => {
  test.each([
    { previous_response_id: 'resp_1' },
    { conversation: 'conv_1' },
    { conversation: { id: 'conv_1' } },
    { prompt: { id: 'pmpt_1' } },
    {
      input: [
        { role: 'user', content: 'a' },
        { type: 'item_reference', id: 'msg_1' },
      ],
    },
    { input: [{ id: 'msg_1' }] },
  ])('earlier responses add a part of the context window to the input: %j', (reference) => {
    const json = { input: 'a', ...reference };
    expect(typical({ json }).input! - typical({ json: { input: 'a' } }).input!).toBeGreaterThanOrEqual(32_000);
    expect(full({ json }).input).toBeGreaterThan(128_000);
  });

  test.each([
    { previous_response_id: null },
    { previous_response_id: '' },
    { conversation: null },
    { prompt: 'a' },
    { input: [{ id: 'msg_1', type: 'message', role: 'assistant', content: 'a' }] },
  ])('a request without earlier responses adds nothing: %j', (none) => {
    expect(full({ json: { input: 'a', ...none } }).input).toBeLessThan(100);
  });
});

describe('cache writes', () => {
  const cached = (cache_control: unknown) => ({
    messages: messages([{ type: 'text', text: text(1000), cache_control }]),
  });

  test('cache writes replace plain input if the request marks parts of it', () => {
    expect(full({ json: cached({ type: 'ephemeral' }) })).toMatchObject({ cache_write_5m: expect.any(Number) });
    expect(full({ json: cached({ type: 'ephemeral' }) }).input).toBeUndefined();
    expect(full({ json: cached({ type: 'ephemeral', ttl: '1h' }) }).cache_write_1h).toBeGreaterThan(1000);
    expect(full({ json: cached('ephemeral') }).input).toBeGreaterThan(1000);
  });
});

describe('hosted tools', () => {
  const withTools = (tools: unknown, more = {}) => ({ input: 'a', tools, ...more });

  test('hosted tools add their calls and results', () => {
    const units = typical({
      json: withTools([{ type: 'web_search' }, { type: 'file_search' }, { type: 'code_interpreter' }]),
    });
    expect(units).toMatchObject({ web_searches: 3, file_searches: 3, code_executions: 3 });
    expect(units.input).toBeGreaterThan(75_000);
  });

  test('hosted tools are called as often as the request allows', () => {
    expect(full({ json: withTools([{ type: 'web_search' }], { max_tool_calls: 7 }) }).web_searches).toBe(7);
    const anthropic = { json: withTools([{ type: 'web_search_20250305', max_uses: 1 }]), endpoint: '/v1/messages' };
    expect(typical(anthropic).web_searches).toBe(1);
    expect(full({ json: withTools([{ type: 'web_search' }], { max_tool_calls: 1e9 }) }).web_searches).toBe(128);
    expect(typical({ json: withTools([{ type: 'web_search' }], { max_tool_calls: 7 }) }).web_searches).toBe(3);
    expect(full({ json: { messages: [], web_search_options: {} } }).web_searches).toBe(1);
  });

  test('hosted tools are not reduced by a maximum of another route', () => {
    expect(full({ json: withTools([{ type: 'web_search', max_uses: 0 }]) }).web_searches).toBe(3);
    const anthropic = { json: withTools([{ type: 'web_search' }], { max_tool_calls: 0 }), endpoint: '/v1/messages' };
    expect(full(anthropic).web_searches).toBe(3);
  });

  test('hosted tools are found after any number of other tools', () => {
    const functions = Array.from({ length: 200 }, () => ({ type: 'function' }));
    expect(full({ json: withTools([...functions, { type: 'web_search' }]) }).web_searches).toBe(3);
  });

  test('hosted tools do not include the functions of the client', () => {
    expect(full({ json: withTools([{ type: 'function', name: 'web_search' }]) }).web_searches).toBeUndefined();
  });
});

describe('other routes', () => {
  test('embeddings count numbers as tokens, and no output', () => {
    const embeddings = { kind: 'embeddings' } as const;
    const numbers = Array.from({ length: 5000 }, (_, at) => 10_000 + at);
    for (const input of [numbers, [numbers]]) {
      const units = full({ ...embeddings, json: { input } });
      expect(Object.keys(units)).toEqual(['input', 'requests']);
      expect(units.input).toBeGreaterThanOrEqual(5000);
      expect(units.input).toBeLessThan(5050);
    }
    const texts = { input: [text(100), text(100)] };
    expect(full({ ...embeddings, json: texts })).toEqual({ input: bytesOf(texts), requests: 1 });
  });

  test('completions count the numbers of a prompt as tokens, and the other fields as text', () => {
    const json = { prompt: [15_339, 1917], suffix: text(1000) };
    expect(full({ json, endpoint: COMPLETIONS }).input).toBeGreaterThan(1000);
    expect(full({ json, endpoint: COMPLETIONS }).input).toBeLessThan(1050);
  });

  test('numbers in a short form do not hide text', () => {
    const prompt = Array.from({ length: 1000 }, () => 1_000_000);
    const body = Buffer.from(`{"prompt":[${'1e6,'.repeat(999)}1e6],"suffix":"${text(3000)}"}`);
    expect(full({ json: { prompt, suffix: text(3000) }, body, endpoint: COMPLETIONS }).input).toBeGreaterThan(4000);
  });

  test('generated images have their number, and the tokens of their quality', () => {
    const units = (fields: object) => typical({ kind: 'images', json: { prompt: text(10), ...fields } });
    expect(units({})).toMatchObject({ images: 1, image_output: 6240 });
    expect(units({ n: 3, quality: 'low' })).toMatchObject({ images: 3, image_output: 1224 });
    expect(units({ n: '2', quality: 'constructor' })).toMatchObject({ images: 2, image_output: 12_480 });
    expect(units({ n: {} })).toMatchObject({ images: 1 });
    expect(units({ n: 1e9 })).toMatchObject({ images: 1000 });
  });

  test('edited images count the images of the form as input', () => {
    const json = { prompt: 'a', image: [new FormFile('a', 9), new FormFile('b', 9)], mask: new FormFile('c', 9) };
    expect(typical({ kind: 'images', json }).image_input).toBe(4800);
  });

  test('speech has the characters of its text', () => {
    expect(typical({ kind: 'speech', json: { input: text(300) } })).toMatchObject({
      characters: 300,
      audio_output: 600,
    });
    expect(typical({ kind: 'speech', json: { input: 5 } })).toMatchObject({ characters: 1 });
  });

  test('transcriptions have the length of the file, from its header or its bytes', () => {
    const json = { file: new FormFile('a.mp3', 240_000) };
    expect(typical({ kind: 'transcription', json })).toMatchObject({
      audio_seconds: 60,
      audio_input: 1920,
      output: 300,
    });
    expect(full({ kind: 'transcription', json })).toMatchObject({ audio_seconds: 320 });
    const wav = new FormFile('a.wav', 320_000, wavHead(32_000));
    expect(full({ kind: 'transcription', json: { file: wav } })).toMatchObject({ audio_seconds: 10 });
  });

  test.each([
    ['a higher rate in one of two places', wavHead(32_000, { claimed: 400_000 }), 10],
    ['a rate that no recording has', wavHead(2_000_000_000), 1],
    ['a rate below 1,000', wavHead(900), 427],
    ['a compressed format', wavHead(32_000, { format: 85 }), 427],
    ['a header that is not at the start', Buffer.concat([Buffer.alloc(4), wavHead(400_000)]), 427],
    ['a part of a header', wavHead(400_000).subarray(0, 20), 427],
  ])('a WAV header does not make a file appear shorter than it is: %s', (_, head, seconds) => {
    const json = { file: new FormFile('a.wav', 320_000, head) };
    expect(full({ kind: 'transcription', json })).toMatchObject({ audio_seconds: seconds });
  });
});
