import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { PROFILES, startSandboxGateway, type SandboxGateway } from '../../support/sandbox-gateway.js';

const PROMPT = 'How is the weather in Bern?';
const CITY = z.object({ city: z.string() });
const weather = tool(() => 'sunny', { name: 'weather', description: 'The weather in a city.', schema: CITY });

describe.each(PROFILES)('LangChain with the profile %s', (profile) => {
  let sandbox: SandboxGateway;
  beforeAll(async () => {
    sandbox = await startSandboxGateway({ GW_PROFILE: profile });
  });
  afterAll(() => sandbox?.stop());

  const openai = (apiKey: string, useResponsesApi = false) =>
    new ChatOpenAI({
      model: 'gpt-4o-mini',
      apiKey,
      useResponsesApi,
      maxRetries: 0,
      configuration: { baseURL: sandbox.url },
    });
  const anthropic = (apiKey: string) =>
    new ChatAnthropic({
      model: 'claude-3-5-haiku-20241022',
      maxTokens: 64,
      apiKey,
      maxRetries: 0,
      anthropicApiUrl: sandbox.gateway.url,
    });
  const MODELS: readonly (readonly [string, (apiKey: string) => ChatOpenAI | ChatAnthropic])[] = [
    ['ChatOpenAI', (apiKey) => openai(apiKey)],
    ['ChatOpenAI on responses', (apiKey) => openai(apiKey, true)],
    ['ChatAnthropic', anthropic],
  ];

  describe.each(MODELS)('%s', (_name, modelOf) => {
    let model: ChatOpenAI | ChatAnthropic;
    beforeAll(() => {
      model = modelOf(sandbox.key.key);
    });

    test('a stream has the same text as a buffered response', async () => {
      const whole = await model.invoke(PROMPT);
      let text = '';
      for await (const chunk of await model.stream(PROMPT)) text += chunk.text;
      expect(text).toBe(whole.text);
      expect(whole.usage_metadata?.output_tokens).toBeGreaterThan(0);
    });

    test('a tool is called and its result is accepted', async () => {
      const question = new HumanMessage(PROMPT);
      const called = await (model as BaseChatModel).bindTools!([weather], { tool_choice: 'any' }).invoke([question]);
      const [call] = (called as { tool_calls?: { id?: string; name: string; args: object }[] }).tool_calls ?? [];
      expect(call).toMatchObject({ name: 'weather', args: { city: expect.any(String) } });
      const result = new ToolMessage({ tool_call_id: call!.id!, content: 'sunny' });
      const answered = await (model as BaseChatModel).bindTools!([weather]).invoke([question, called, result]);
      expect(answered.text).toMatch(/\w/);
    });

    test('a structured output matches its schema', async () => {
      const structured = (model as BaseChatModel).withStructuredOutput(CITY);
      expect(await structured.invoke(PROMPT)).toEqual({ city: expect.any(String) });
    });

    (profile === 'current' ? test : test.skip)('two user messages in a row are accepted', async () => {
      expect((await model.invoke([new HumanMessage('One.'), new HumanMessage('Two.')])).text).toMatch(/\w/);
    });

    test('an unknown API key fails with status 401', async () => {
      await expect(modelOf('sk-gw-nobody').invoke(PROMPT)).rejects.toMatchObject({ status: 401 });
    });

    test('an aborted request fails with an abort error', async () => {
      const call = model.invoke('word '.repeat(2_000), { signal: AbortSignal.timeout(1) });
      await expect(call).rejects.toThrow(/abort/i);
    });
  });

  test('documents are embedded with the requested dimensions', async () => {
    const embeddings = new OpenAIEmbeddings({
      model: 'text-embedding-3-small',
      dimensions: 8,
      apiKey: sandbox.key.key,
      configuration: { baseURL: sandbox.url },
    });
    expect((await embeddings.embedDocuments(['one', 'two'])).map((vector) => vector.length)).toEqual([8, 8]);
  });
});
