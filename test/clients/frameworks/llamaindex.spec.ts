import { OpenAI, OpenAIEmbedding, OpenAIResponses } from '@llamaindex/openai';
import { Document, Settings, tool, VectorStoreIndex } from 'llamaindex';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { PROFILES, startSandboxGateway, type SandboxGateway } from '../../support/sandbox-gateway.js';

const MODEL = 'gpt-4o-mini';
const HELLO = [{ role: 'user' as const, content: 'How is the weather in Bern?' }];

describe.each(PROFILES)('LlamaIndex with the profile %s', (profile) => {
  let sandbox: SandboxGateway;
  beforeAll(async () => {
    sandbox = await startSandboxGateway({ GW_PROFILE: profile });
    Settings.llm = chat();
    Settings.embedModel = new OpenAIEmbedding({
      model: 'text-embedding-3-small',
      apiKey: sandbox.key.key,
      baseURL: sandbox.url,
    });
  });
  afterAll(() => sandbox?.stop());

  const chat = (apiKey = sandbox.key.key) => new OpenAI({ model: MODEL, apiKey, baseURL: sandbox.url, maxRetries: 0 });

  test('a stream has the same text as a buffered response', async () => {
    const whole = await chat().chat({ messages: HELLO });
    let text = '';
    for await (const { delta } of await chat().chat({ messages: HELLO, stream: true })) text += delta;
    expect(text).toBe(whole.message.content);
  });

  test('a tool call is returned', async () => {
    const asked: string[] = [];
    const weather = tool({
      name: 'weather',
      description: 'The weather in a city.',
      parameters: z.object({ city: z.string() }),
      execute: ({ city }: { city: string }) => {
        asked.push(city);
        return 'sunny';
      },
    });
    const { message } = await chat().chat({ messages: HELLO, tools: [weather] });
    expect(message.options).toMatchObject({ toolCall: [{ name: 'weather' }] });
  });

  test('a query on a document index is answered', async () => {
    const index = await VectorStoreIndex.fromDocuments([new Document({ text: 'The weather in Bern is sunny.' })]);
    const { message } = await index.asQueryEngine().query({ query: 'How is the weather?' });
    expect(message.content).toMatch(/\w/);
  });

  (profile === 'current' ? test : test.skip)('the Responses API returns text', async () => {
    const llm = new OpenAIResponses({ model: MODEL, apiKey: sandbox.key.key, baseURL: sandbox.url });
    expect((await llm.chat({ messages: HELLO })).message.content).toMatch(/\w/);
  });

  test('an unknown API key fails with status 401', async () => {
    await expect(chat('sk-gw-nobody').chat({ messages: HELLO })).rejects.toMatchObject({ status: 401 });
  });
});
