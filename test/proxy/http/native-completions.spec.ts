import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Key, TestGateway } from '../../support/gateway.js';
import { LimitCalls } from '../../support/limit-calls.js';
import { untilPasses } from '../../support/poll.js';
import { errorCodeIn, errorIn, snapshot } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';

const NATIVE = '/v1/completions';
const CHAT = '/v1/chat/completions';
const MODEL = 'meta-llama/llama-3.3-70b-instruct';
const USAGE = { prompt_tokens: 21, completion_tokens: 8, total_tokens: 29 };

const RESPONSE = JSON.stringify({
  id: 'cmpl-1',
  object: 'text_completion',
  model: MODEL,
  choices: ['a', 'b'].map((text, index) => ({
    text,
    index,
    logprobs: { tokens: [text], token_logprobs: [null], text_offset: [0], top_logprobs: [null] },
    finish_reason: 'length',
    prompt_logprobs: null,
  })),
  usage: USAGE,
});

function streamOf(hasUsage: boolean): string {
  const base = { id: 'cmpl-1', object: 'text_completion', model: MODEL };
  const chunks: object[] = [0, 1].map((index) => ({
    ...base,
    choices: [{ text: `text ${index}`, index, logprobs: null, finish_reason: 'stop' }],
  }));
  if (hasUsage) chunks.push({ ...base, choices: [], usage: USAGE });
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

/** Reports the usage of a stream only on request, as inference servers do. */
function scriptCompletions({ upstream }: TestGateway): void {
  upstream.on('POST', NATIVE, (request) => {
    const { stream, stream_options: options } = request.json() as {
      stream?: boolean;
      stream_options?: { include_usage?: boolean };
    };
    if (stream !== true) return { headers: { 'content-type': 'application/json' }, chunks: [RESPONSE] };
    return { headers: { 'content-type': 'text/event-stream' }, chunks: [streamOf(options?.include_usage === true)] };
  });
}

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway({ GW_PROFILE: 'current' });
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.upstream.reset();
  scriptCompletions(gateway);
});

const complete = (body: object | string, as = key, of = gateway) => of.call('POST', NATIVE, { key: as, body });
const sent = (of = gateway) =>
  of.upstream.requests.filter(({ method }) => method === 'POST').map(({ route, body }) => [route, body.toString()]);
const tokensOf = async (made: Key) => {
  const { this_month: month } = await snapshot(gateway, made);
  return (month as unknown as { tokens: { used: number } }).tokens.used;
};

describe('a completion that the upstream serves itself', () => {
  test.each([
    ['several prompts', '{"prompt":["one","two"], "MODEL","n":1}'],
    ['token IDs', '{"MODEL","prompt":[[1,2,3],[4]],"max_tokens":1}'],
    ['best_of and n', '{"MODEL","prompt":"x","best_of":3,"n":2}'],
    ['logprobs and echo, as lm-eval sends them', '{"MODEL","prompt":[[7,8]],"echo":true,"logprobs":1,"max_tokens":1}'],
    ['suffix', ' {"MODEL","prompt":"def f(","suffix":")","seed":12345678901234567890}\n'],
    ['a temperature beyond the specification', '{"MODEL","prompt":"x","temperature":1.0,"top_k":-1,"min_tokens":3}'],
  ])('forwards the bytes of the request and of the response: %s', async (_, template) => {
    const body = template.replace('"MODEL"', `"model":"${MODEL}"`);
    const response = await complete(body);
    expect([response.status, response.text]).toEqual([200, RESPONSE]);
    expect(sent()).toEqual([[`POST ${NATIVE}`, body]]);
  });

  test('forwards a stream byte for byte', async () => {
    for (const options of [undefined, { include_usage: true }]) {
      const response = await complete({ model: MODEL, prompt: ['one', 'two'], stream: true, stream_options: options });
      expect(response.text).toBe(streamOf(options !== undefined));
    }
  });

  test.each([
    ['buffered', {}],
    ['streamed', { stream: true, stream_options: { include_usage: true } }],
  ])('records the reported usage: %s', async (_, fields) => {
    const made = await gateway.createKey({ monthly_token_limit: 1_000_000 });
    await complete({ model: MODEL, prompt: ['one', 'two'], ...fields }, made);
    await untilPasses(async () => expect(await tokensOf(made)).toBe(USAGE.total_tokens));
  });

  test('relays the error of a provider without the route', async () => {
    gateway.upstream.on('POST', NATIVE, () => ({ status: 404, body: { detail: 'Not Found' } }));
    const response = await complete({ model: MODEL, prompt: 'x' });
    expect([response.status, response.text]).toEqual([404, '{"detail":"Not Found"}']);
  });

  test('checks the fields that the gateway reads, and the allowed models of the key', async () => {
    expect(errorCodeIn(await complete({ prompt: 'x' }))).toBe('400 missing_required_parameter model');
    expect(errorCodeIn(await complete({ model: MODEL, stream: 'yes' }))).toBe('400 invalid_type stream');
    expect(errorCodeIn(await complete({ model: 'text-embedding-3-small', prompt: 'x' }))).toBe(
      '400 model_endpoint_mismatch model',
    );
    const limited = await gateway.createKey({ allowed_models: ['gpt-4o'] });
    expect(errorCodeIn(await complete({ model: MODEL, prompt: 'x' }, limited))).toBe('403 model_not_allowed model');
    expect(gateway.upstream.requests).toHaveLength(0);
  });
});

describe('a completion under a token limit', () => {
  const limitedKey = async (amount: number) => {
    const made = await gateway.createKey();
    const limits = new LimitCalls(gateway, {
      scope: 'key',
      key_id: made.id,
      period: 'month',
      measure: 'output_tokens',
    });
    const { id } = await limits.create({ amount, reserve: 'full' });
    return { made, used: async () => (await limits.get(id)).used };
  };

  test('the gateway asks for the usage of a stream, and removes it again', async () => {
    const { made, used } = await limitedKey(1_000_000);
    const body = { model: MODEL, prompt: ['one', 'two'], max_tokens: 4, stream: true };
    const response = await complete(body, made);
    expect(response.text).toBe(streamOf(false));
    expect(JSON.parse(sent()[0]![1]!)).toEqual({ stream_options: { include_usage: true }, ...body });
    await untilPasses(async () => expect(await used()).toBe(USAGE.completion_tokens));
  });

  test('reserves the output of each prompt and choice', async () => {
    const { made } = await limitedKey(59);
    const body = { model: MODEL, prompt: ['one', 'two', 'three'], max_tokens: 10, n: 2 };
    expect((await complete(body, made)).status).toBe(429);
    expect((await complete({ ...body, best_of: 9, prompt: 'one' }, made)).status).toBe(429);
    expect((await complete({ ...body, prompt: ['one', 'two'] }, made)).status).toBe(200);
  });
});

describe('a completion that is emulated with GW_PROFILE=current', () => {
  test.each([
    ['a chat model of OpenAI', 'gpt-4o-mini'],
    ['a model of Anthropic', 'claude-3-haiku-20240307'],
    ['a model of Google', 'gemini-2.0-flash'],
  ])('%s has no completions route anywhere', async (_, model) => {
    const body = { model, prompt: ['one'], best_of: 1, logprobs: null, suffix: '', max_tokens: 5 };
    const response = await complete(body);
    expect([response.status, response.body['object']]).toEqual([200, 'text_completion']);
    expect(sent().map(([route, text]) => [route, JSON.parse(text!)])).toEqual([
      [`POST ${CHAT}`, { messages: [{ role: 'user', content: 'one' }], model, max_tokens: 5 }],
    ]);
  });

  test.each<[object, string]>([
    [{ prompt: ['one', 'two'] }, '400 unsupported_value prompt'],
    [{ prompt: [1, 2] }, '400 invalid_type prompt[0]'],
    [{ best_of: 2 }, '400 unsupported_parameter best_of'],
    [{ logprobs: 0 }, '400 unsupported_parameter logprobs'],
    [{ suffix: ')' }, '400 unsupported_parameter suffix'],
  ])('a request that chat completions cannot serve is rejected: %j', async (fields, expected) => {
    const response = await complete({ model: 'gpt-4o', prompt: 'x', ...fields });
    expect(errorCodeIn(response)).toBe(expected);
    if (!expected.includes('type')) expect(errorIn(response).message).toContain('emulated by chat completions');
    expect(gateway.upstream.requests).toHaveLength(0);
  });
});

describe('GW_UPSTREAM_COMPLETIONS', () => {
  test('native forwards the completions of every model unchanged, also with GW_PROFILE=specification', async () => {
    const native = await startGateway({ GW_UPSTREAM_COMPLETIONS: 'native' });
    scriptCompletions(native);
    const made = await native.createKey();
    const body = '{"model":"gpt-4o","prompt":["one","two"],"suffix":"x"}';
    expect((await complete(body, made, native)).text).toBe(RESPONSE);
    expect(sent(native)).toEqual([[`POST ${NATIVE}`, body]]);
    const refused = await complete({ model: 'gpt-4o', prompt: 'x', logprobs: 1 }, made, native);
    expect(errorCodeIn(refused)).toBe('400 unsupported_parameter logprobs');
    await native.stop();
  });

  test('emulated uses chat completions for every model except legacy base models', async () => {
    const emulated = await startGateway({ GW_PROFILE: 'current', GW_UPSTREAM_COMPLETIONS: 'emulated' });
    scriptCompletions(emulated);
    const made = await emulated.createKey();
    await complete({ model: MODEL, prompt: 'x' }, made, emulated);
    await complete({ model: 'davinci-002', prompt: [1, 2], logprobs: 1 }, made, emulated);
    expect(sent(emulated).map(([route]) => route)).toEqual([`POST ${CHAT}`, `POST ${NATIVE}`]);
    await emulated.stop();
  });
});
