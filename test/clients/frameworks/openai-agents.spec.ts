import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { startSandboxGateway, type SandboxGateway } from '../../support/sandbox-gateway.js';

const PROMPT = 'How is the weather in Bern?';
const MODEL = 'gpt-4o-mini';

// The specification refuses `tools: []`, which this client sends for every agent without tools.
describe.each([true, false])('the OpenAI Agents SDK with the profile current, useResponses: %s', (useResponses) => {
  let sandbox: SandboxGateway;
  beforeAll(async () => {
    setTracingDisabled(true);
    sandbox = await startSandboxGateway({ GW_PROFILE: 'current' });
  });
  afterAll(() => sandbox?.stop());

  const runner = (apiKey = sandbox.key.key) =>
    new Runner({ modelProvider: new OpenAIProvider({ baseURL: sandbox.url, apiKey, useResponses }) });

  test('answers with an agent without tools', async () => {
    const agent = new Agent({ name: 'Greeter', instructions: 'Say hello.', model: MODEL });
    expect((await runner().run(agent, PROMPT)).finalOutput).toMatch(/\w/);
  });

  test('streams an answer', async () => {
    const agent = new Agent({ name: 'Greeter', model: MODEL });
    const run = await runner().run(agent, PROMPT, { stream: true });
    let text = '';
    for await (const part of run.toTextStream()) text += part;
    await run.completed;
    expect(text).toBe(run.finalOutput);
  });

  test('calls a tool and hands over to another agent', async () => {
    const asked: string[] = [];
    const weather = tool({
      ...{ name: 'weather', description: 'The weather in a city.', parameters: z.object({ city: z.string() }) },
      execute: async ({ city }) => {
        asked.push(city);
        return 'sunny';
      },
    });
    const agent = new Agent({ name: 'Weather', model: MODEL, tools: [weather] });
    expect((await runner().run(agent, PROMPT)).finalOutput).toMatch(/\w/);
    expect(asked).toEqual([expect.any(String)]);
  });

  test('returns a structured output', async () => {
    const agent = new Agent({ name: 'Finder', model: MODEL, outputType: z.object({ city: z.string() }) });
    expect((await runner().run(agent, PROMPT)).finalOutput).toEqual({ city: expect.any(String) });
  });

  test('reports an unknown key as 401', async () => {
    const agent = new Agent({ name: 'Greeter', model: MODEL });
    await expect(runner('sk-gw-nobody').run(agent, PROMPT)).rejects.toMatchObject({ status: 401 });
  });
});
