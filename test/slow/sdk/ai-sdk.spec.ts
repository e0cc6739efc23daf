import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  APICallError,
  embedMany,
  generateImage,
  generateSpeech,
  generateText,
  isStepCount,
  jsonSchema,
  Output,
  streamText,
  tool,
  transcribe,
  type LanguageModel,
} from 'ai';
import { PROFILES, startSandboxGateway, type SandboxGateway } from '../../support/sandbox-gateway.js';

// The AI SDK would log warnings about the sandbox's models, which it does not recognize.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

describe.each(PROFILES)('Vercel AI SDK with the profile %s', (profile) => {
  let sandbox: SandboxGateway;
  let openai: ReturnType<typeof createOpenAI>;
  let anthropic: ReturnType<typeof createAnthropic>;
  let compatible: ReturnType<typeof createOpenAICompatible>;

  beforeAll(async () => {
    sandbox = await startSandboxGateway({ GW_PROFILE: profile });
    openai = createOpenAI({ baseURL: sandbox.url, apiKey: sandbox.key.key });
    anthropic = createAnthropic({ baseURL: sandbox.url, apiKey: sandbox.key.key });
    compatible = createOpenAICompatible({
      name: 'gateway',
      baseURL: sandbox.url,
      apiKey: sandbox.key.key,
      supportsStructuredOutputs: true,
      includeUsage: true,
    });
  });
  afterAll(() => sandbox?.stop());

  const CITY = jsonSchema<{ city: string }>({
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  });
  const EMBEDDING = 'text-embedding-3-small';
  const PROMPT = 'How is the weather in Bern?';

  const MODELS: readonly (readonly [string, () => LanguageModel])[] = [
    ['chat completions', () => openai.chat('gpt-4o-mini')],
    ['responses', () => openai.responses('gpt-4o-mini')],
    ['messages', () => anthropic('claude-3-5-haiku-20241022')],
    ['a compatible API', () => compatible('gpt-4o-mini')],
  ];

  describe.each(MODELS)('%s', (_route, model) => {
    test('buffered and streamed responses have the same text and usage', async () => {
      const { text, usage } = await generateText({ model: model(), prompt: PROMPT });
      expect(text).toMatch(/\w/);
      expect(usage.outputTokens).toBeGreaterThan(0);
      const streamed = streamText({ model: model(), prompt: PROMPT });
      expect(await streamed.text).toBe(text);
      expect((await streamed.usage).outputTokens).toBe(usage.outputTokens);
    });

    test('a tool is called and its result is accepted', async () => {
      const asked: string[] = [];
      const weather = tool({
        inputSchema: CITY,
        execute: ({ city }) => {
          asked.push(city);
          return 'sunny';
        },
      });
      const { text } = await generateText({
        model: model(),
        prompt: PROMPT,
        tools: { weather },
        stopWhen: isStepCount(3),
      });
      expect(asked).toEqual([expect.any(String)]);
      expect(text).toMatch(/\w/);
    });

    test('a structured output matches its schema', async () => {
      const { output } = await generateText({
        model: model(),
        prompt: PROMPT,
        output: Output.object({ schema: CITY }),
      });
      expect(output).toEqual({ city: expect.any(String) });
    });

    test('an aborted stream ends with an abort part', async () => {
      const abort = new AbortController();
      const parts: string[] = [];
      const { stream } = streamText({ model: model(), prompt: 'word '.repeat(2_000), abortSignal: abort.signal });
      for await (const { type } of stream) {
        parts.push(type);
        if (type === 'text-delta') abort.abort();
      }
      expect(parts.at(-1)).toBe('abort');
    });
  });

  test('embeddings are returned for each text', async () => {
    for (const model of [openai.embedding(EMBEDDING), compatible.embeddingModel(EMBEDDING)]) {
      const { embeddings } = await embedMany({ model, values: ['one', 'two'] });
      expect(embeddings.map((vector) => vector.length)).toEqual([1536, 1536]);
    }
  });

  test('an image is generated', async () => {
    const { image } = await generateImage({ model: openai.image('gpt-image-1'), prompt: 'A lighthouse' });
    expect(image.uint8Array.length).toBeGreaterThan(50);
  });

  test('text is turned into speech and speech into text', async () => {
    const { audio } = await generateSpeech({ model: openai.speech('gpt-4o-mini-tts'), text: 'Hello.' });
    expect(audio.uint8Array.length).toBeGreaterThan(100);
    const { text } = await transcribe({ model: openai.transcription('whisper-1'), audio: audio.uint8Array });
    expect(text).toMatch(/\w/);
  });

  const UNKNOWN_KEY = { apiKey: 'sk-gw-nobody' };
  test.each<[string, () => LanguageModel]>([
    ['chat completions', () => createOpenAI({ baseURL: sandbox.url, ...UNKNOWN_KEY }).chat('gpt-4o-mini')],
    ['messages', () => createAnthropic({ baseURL: sandbox.url, ...UNKNOWN_KEY })('claude-3-5-haiku-20241022')],
  ])('an unknown API key is a 401 with an explanation that is not retried (%s)', async (_route, model) => {
    const before = sandbox.seen.length;
    const error: unknown = await generateText({ model: model(), prompt: PROMPT }).catch((caught: unknown) => caught);
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ statusCode: 401, isRetryable: false, message: expect.stringContaining('key') });
    expect(sandbox.seen.length).toBe(before);
  });
});
