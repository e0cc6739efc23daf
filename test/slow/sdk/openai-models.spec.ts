import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import OpenAI, { toFile } from 'openai';
import { until } from '../../support/until.js';
import { PROFILES, startSandboxGateway, type SandboxGateway } from '../../support/sandbox-gateway.js';

describe.each(PROFILES)('OpenAI SDK models with the profile %s', (profile) => {
  let sandbox: SandboxGateway;
  let openai: OpenAI;

  beforeAll(async () => {
    sandbox = await startSandboxGateway({ GW_PROFILE: profile });
    openai = new OpenAI({ baseURL: sandbox.url, apiKey: sandbox.key.key });
  });
  afterAll(() => sandbox?.stop());

  const MODEL = 'gpt-4o-mini';
  const HELLO = [{ role: 'user' as const, content: 'Say hello.' }];
  const WEATHER = {
    name: 'weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  };

  async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
    const items: T[] = [];
    for await (const item of stream) items.push(item);
    return items;
  }

  describe('chat completions', () => {
    test('a chat completion has text, usage and a request ID', async () => {
      const { choices, usage, _request_id } = await openai.chat.completions.create({ model: MODEL, messages: HELLO });
      expect(choices[0]?.message.content).toMatch(/\w/);
      expect(usage?.total_tokens).toBe(usage!.prompt_tokens + usage!.completion_tokens);
      expect(_request_id).toMatch(/^[0-9a-f-]{36}$/);
    });

    test('a stream ends with its usage', async () => {
      const chunks = await all(
        await openai.chat.completions.create({
          model: MODEL,
          messages: HELLO,
          stream: true,
          stream_options: { include_usage: true },
        }),
      );
      expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toMatch(/\w/);
      expect(chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThan(0);
    });

    test("the SDK's stream helper returns the same text as a buffered completion", async () => {
      const whole = await openai.chat.completions.create({ model: MODEL, messages: HELLO });
      const stream = openai.chat.completions.stream({ model: MODEL, messages: HELLO });
      expect(await stream.finalContent()).toBe(whole.choices[0]?.message.content);
    });

    test('a tool is called and its result is accepted', async () => {
      const asked: unknown[] = [];
      const runner = openai.chat.completions.runTools({
        model: MODEL,
        messages: [{ role: 'user', content: 'How is the weather in Bern?' }],
        tools: [
          {
            type: 'function',
            function: {
              ...WEATHER,
              parse: JSON.parse,
              function: (input: unknown) => {
                asked.push(input);
                return 'sunny';
              },
            },
          },
        ],
      });
      expect(await runner.finalContent()).toMatch(/\w/);
      expect(asked).toEqual([{ city: expect.any(String) }]);
    });

    test('a structured output matches its schema', async () => {
      const schema = { ...WEATHER.parameters, additionalProperties: false };
      const { choices } = await openai.chat.completions.create({
        model: MODEL,
        messages: HELLO,
        response_format: { type: 'json_schema', json_schema: { name: 'place', strict: true, schema } },
      });
      expect(JSON.parse(choices[0]!.message.content!)).toEqual({ city: expect.any(String) });
    });

    test('an aborted stream ends the upstream request', async () => {
      const long = [{ role: 'user' as const, content: 'word '.repeat(2_000) }];
      const stream = await openai.chat.completions.create({ model: MODEL, messages: long, stream: true });
      const { incoming } = sandbox.seen.at(-1)!;
      await stream[Symbol.asyncIterator]().next();
      stream.controller.abort();
      await until(() => incoming.socket.destroyed);
    });
  });

  test('buffered and streamed text completions have the same text', async () => {
    const asked = { model: 'davinci-002', prompt: 'Once upon a time', max_tokens: 8 };
    const whole = await openai.completions.create(asked);
    const chunks = await all(await openai.completions.create({ ...asked, stream: true }));
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(whole.choices[0]?.text);
  });

  test('text completions emulated with a chat model have the same text, buffered and streamed', async () => {
    const asked = { model: MODEL, prompt: 'Once upon a time', echo: true };
    const whole = await openai.completions.create(asked);
    expect(whole).toMatchObject({ object: 'text_completion', id: expect.stringMatching(/^cmpl-/) });
    expect(whole.choices[0]?.text).toMatch(/^Once upon a time./);
    const chunks = await all(await openai.completions.create({ ...asked, stream: true }));
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(whole.choices[0]?.text);
  });

  describe('Responses API', () => {
    test('a response can be created, read and deleted', async () => {
      const made = await openai.responses.create({ model: MODEL, input: 'Say hello.' });
      expect(made.output_text).toMatch(/\w/);
      expect((await openai.responses.retrieve(made.id)).output_text).toBe(made.output_text);
      await openai.responses.delete(made.id);
      await expect(openai.responses.retrieve(made.id)).rejects.toMatchObject({
        status: profile === 'current' ? 404 : 502,
      });
    });

    test('a streamed response starts and ends with the right events', async () => {
      const stream = openai.responses.stream({ model: MODEL, input: 'Say hello.' });
      const types = (await all(stream)).map(({ type }) => type);
      expect(types[0]).toBe('response.created');
      expect(types.at(-1)).toBe('response.completed');
      expect((await stream.finalResponse()).output_text).toMatch(/\w/);
    });

    test('a required tool is called', async () => {
      const { output } = await openai.responses.create({
        model: MODEL,
        input: 'How is the weather in Bern?',
        tool_choice: 'required',
        tools: [{ type: 'function', ...WEATHER, strict: false }],
      });
      expect(output).toContainEqual(expect.objectContaining({ type: 'function_call', name: 'weather' }));
    });
  });

  test('embeddings have the same numbers as base64 and as floats', async () => {
    const asked = { model: 'text-embedding-3-small', input: ['one', 'two'], dimensions: 8 };
    const packed = await openai.embeddings.create(asked);
    const plain = await openai.embeddings.create({ ...asked, encoding_format: 'float' });
    expect(plain.data.map(({ embedding }) => embedding.length)).toEqual([8, 8]);
    for (const [at, { embedding }] of packed.data.entries())
      embedding.forEach((value, i) => expect(value).toBeCloseTo(plain.data[at]!.embedding[i]!, 5));
  });

  describe('audio', () => {
    test('speech is generated', async () => {
      const speech = await openai.audio.speech.create({ model: 'gpt-4o-mini-tts', input: 'Hello.', voice: 'alloy' });
      expect(speech.headers.get('content-type')).toMatch(/^audio\//);
      expect((await speech.arrayBuffer()).byteLength).toBeGreaterThan(100);
    });

    test('a transcription can be JSON or subtitles', async () => {
      const file = await toFile(Buffer.alloc(2_000), 'speech.wav');
      const { text } = await openai.audio.transcriptions.create({ model: 'whisper-1', file });
      expect(text).toMatch(/\w/);
      const subtitles = await openai.audio.transcriptions.create({ model: 'whisper-1', file, response_format: 'srt' });
      expect(subtitles).toContain('-->');
    });
  });

  describe('images', () => {
    test('an image is generated', async () => {
      const { data } = await openai.images.generate({ model: 'gpt-image-1', prompt: 'A lighthouse' });
      expect(data?.[0]?.b64_json).toMatch(/^[A-Za-z0-9+/]{50}/);
    });

    test('an image stream ends with the completed image', async () => {
      const asked = { model: 'gpt-image-1', prompt: 'A lighthouse', partial_images: 1 };
      const events = await all(await openai.images.generate({ ...asked, stream: true }));
      expect(events.at(-1)?.type).toBe('image_generation.completed');
    });

    test('several images can be edited', async () => {
      const { data: made } = await openai.images.generate({ model: 'gpt-image-1', prompt: 'A lighthouse' });
      const image = await toFile(Buffer.from(made![0]!.b64_json!, 'base64'), 'a.png', { type: 'image/png' });
      const { data } = await openai.images.edit({ model: 'gpt-image-1', image: [image, image], prompt: 'At night' });
      expect(data?.[0]?.b64_json).toMatch(/^[A-Za-z0-9+/]{50}/);
    });
  });

  test('models are listed, and a model ID with a slash can be retrieved', async () => {
    const ids = (await all(openai.models.list())).map(({ id }) => id);
    expect(ids).toContain(MODEL);
    const slashed = ids.find((id) => id.includes('/'))!;
    expect(await openai.models.retrieve(slashed)).toMatchObject({ id: slashed, object: 'model' });
  });
});
