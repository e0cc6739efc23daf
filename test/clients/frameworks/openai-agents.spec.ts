import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { startSandboxGateway, type SandboxGateway } from '../../support/sandbox-gateway.js';

const PROMPT = 'How is the weather in Bern?';
const MODEL = 'gpt-4o-mini';

// This client sends `tools: []` for an agent without tools, which the specification profile rejects.
describe.each([true, false])('OpenAI Agents SDK with the profile current and useResponses %s', (useResponses) => {
  let sandbox: SandboxGateway;
  beforeAll(async () => {
    setTracingDisabled(true);
    sandbox = await startSandboxGateway({ GW_PROFILE: 'current' });
  });
  afterAll(() => sandbox?.stop());

  const runner = (apiKey = sandbox.key.key) =>
    new Runner({ modelProvider: new OpenAIProvider({ baseURL: sandbox.url, apiKey, useResponses }) });

  test('an agent without tools returns text', async () => {
    const agent = new Agent({ name: 'Greeter', instructions: 'Say hello.', model: MODEL });
    expect((await runner().run(agent, PROMPT)).finalOutput).toMatch(/\w/);
  });

  test('a streamed run has the text of its final output', async () => {
    const agent = new Agent({ name: 'Greeter', model: MODEL });
    const run = await runner().run(agent, PROMPT, { stream: true });
    let text = '';
    for await (const part of run.toTextStream()) text += part;
    await run.completed;
    expect(text).toBe(run.finalOutput);
  });

  test('an agent calls its tool once and returns text', async () => {
    const asked: string[] = [];
    const weather = tool({
      name: 'weather',
      description: 'The weather in a city.',
      parameters: z.object({ city: z.string() }),
      execute: async ({ city }) => {
        asked.push(city);
        return 'sunny';
      },
    });
    const agent = new Agent({ name: 'Weather', model: MODEL, tools: [weather] });
    expect((await runner().run(agent, PROMPT)).finalOutput).toMatch(/\w/);
    expect(asked).toEqual([expect.any(String)]);
  });

  test('a structured output matches its schema', async () => {
    const agent = new Agent({ name: 'Finder', model: MODEL, outputType: z.object({ city: z.string() }) });
    expect((await runner().run(agent, PROMPT)).finalOutput).toEqual({ city: expect.any(String) });
  });

  test('an unknown API key fails with status 401', async () => {
    const agent = new Agent({ name: 'Greeter', model: MODEL });
    await expect(runner('sk-gw-nobody').run(agent, PROMPT)).rejects.toMatchObject({ status: 401 });
  });
});
