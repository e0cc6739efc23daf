import { Readable } from 'node:stream';
import OpenAI, { toFile } from 'openai-4';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { PROFILES, startSandboxGateway, type SandboxGateway } from '../../support/sandbox-gateway.js';

const MODEL = 'gpt-4o-mini';
const HELLO = [{ role: 'user' as const, content: 'Say hello.' }];
const WEATHER = {
  name: 'weather',
  description: 'The weather in a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

describe.each(PROFILES)('OpenAI SDK 4 with the profile %s', (profile) => {
  let sandbox: SandboxGateway;
  let openai: OpenAI;

  beforeAll(async () => {
    sandbox = await startSandboxGateway({ GW_PROFILE: profile });
    openai = new OpenAI({ baseURL: sandbox.url, apiKey: sandbox.key.key, maxRetries: 0 });
  });
  afterAll(() => sandbox?.stop());

  test('a stream has the same text as a buffered response', async () => {
    const whole = await openai.chat.completions.create({ model: MODEL, messages: HELLO });
    const stream = openai.beta.chat.completions.stream({ model: MODEL, messages: HELLO });
    expect(await stream.finalContent()).toBe(whole.choices[0]?.message.content);
  });

  test('a tool is called and its result is accepted', async () => {
    const asked: unknown[] = [];
    const weather = (input: object) => {
      asked.push(input);
      return 'sunny';
    };
    const runner = openai.beta.chat.completions.runTools({
      model: MODEL,
      messages: [{ role: 'user', content: 'How is the weather in Bern?' }],
      tools: [{ type: 'function', function: { ...WEATHER, parse: JSON.parse, function: weather } }],
    });
    expect(await runner.finalContent()).toMatch(/\w/);
    expect(asked).toEqual([{ city: expect.any(String) }]);
  });

  test('a structured output matches its schema', async () => {
    const schema = { ...WEATHER.parameters, additionalProperties: false };
    const { choices } = await openai.beta.chat.completions.parse({
      model: MODEL,
      messages: HELLO,
      response_format: { type: 'json_schema', json_schema: { name: 'place', strict: true, schema } },
    });
    expect(choices[0]?.message.parsed).toEqual({ city: expect.any(String) });
  });

  test('the Responses API returns text', async () => {
    expect((await openai.responses.create({ model: MODEL, input: 'Say hello.' })).output_text).toMatch(/\w/);
  });

  test('embeddings have the requested dimensions', async () => {
    const input = ['one', 'two'];
    const { data } = await openai.embeddings.create({ model: 'text-embedding-3-small', input, dimensions: 8 });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([8, 8]);
  });

  test('a transcription whose form ends with two line breaks is accepted', async () => {
    const file = await toFile(Readable.from([Buffer.alloc(2_000)]), 'speech.wav');
    expect((await openai.audio.transcriptions.create({ model: 'whisper-1', file })).text).toMatch(/\w/);
  });

  test('an image can be edited', async () => {
    const { data: made } = await openai.images.generate({ model: 'gpt-image-1', prompt: 'A lighthouse' });
    const image = await toFile(Buffer.from(made![0]!.b64_json!, 'base64'), 'a.png', { type: 'image/png' });
    const { data } = await openai.images.edit({ model: 'gpt-image-1', image, prompt: 'At night' });
    expect(data?.[0]?.b64_json).toMatch(/^[A-Za-z0-9+/]{50}/);
  });

  test('models are listed', async () => {
    const ids: string[] = [];
    for await (const { id } of openai.models.list()) ids.push(id);
    expect(ids).toContain(MODEL);
  });

  test('errors 401, 403 and 429 have the SDK’s error classes and the gateway’s codes', async () => {
    const ask = (apiKey: string, model = MODEL) =>
      new OpenAI({ baseURL: sandbox.url, apiKey, maxRetries: 0 }).chat.completions.create({ model, messages: HELLO });
    const narrow = await sandbox.gateway.createKey({ allowed_models: ['gpt-4o'], rpd_limit: 2 });
    await expect(ask('sk-gw-nobody')).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    await expect(ask(narrow.key)).rejects.toMatchObject({ status: 403, code: 'model_not_allowed' });
    await ask(narrow.key, 'gpt-4o').then(() => ask(narrow.key, 'gpt-4o').catch(() => undefined));
    await expect(ask(narrow.key, 'gpt-4o')).rejects.toBeInstanceOf(OpenAI.RateLimitError);
  });

  test('an aborted stream ends the upstream request', async () => {
    const messages = [{ role: 'user' as const, content: 'word '.repeat(2_000) }];
    const stream = await openai.chat.completions.create({ model: MODEL, messages, stream: true });
    const { incoming } = sandbox.seen.at(-1)!;
    await stream[Symbol.asyncIterator]().next();
    stream.controller.abort();
    await until(() => incoming.socket.destroyed);
  });
});
