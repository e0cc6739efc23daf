import CurrentAnthropic from '@anthropic-ai/sdk';
import OldAnthropic from 'anthropic-0';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { PROFILES, startSandboxGateway, type SandboxGateway } from '../../support/sandbox-gateway.js';

/** This file uses only methods that have the same types in both versions. */
const VERSIONS = { '0.x': OldAnthropic as unknown as typeof CurrentAnthropic, current: CurrentAnthropic };
const CLIENTS = PROFILES.flatMap((profile) =>
  Object.entries(VERSIONS).map(([version, Anthropic]) => ({ version, profile, Anthropic })),
);

describe.each(CLIENTS)('Anthropic SDK $version with the profile $profile', ({ profile, Anthropic }) => {
  let sandbox: SandboxGateway;
  let anthropic: CurrentAnthropic;

  beforeAll(async () => {
    sandbox = await startSandboxGateway({ GW_PROFILE: profile });
    anthropic = new Anthropic({ baseURL: sandbox.gateway.url, apiKey: sandbox.key.key, authToken: null });
  });
  afterAll(() => sandbox?.stop());

  const ASKED = {
    model: 'claude-3-5-haiku-20241022',
    max_tokens: 64,
    messages: [{ role: 'user' as const, content: 'Say hello.' }],
  };
  const WEATHER = {
    name: 'weather',
    input_schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
  };
  const textOf = ({ content }: CurrentAnthropic.Message) =>
    content.map((block) => ('text' in block ? block.text : '')).join('');

  test.each([
    ['x-api-key', () => ({ apiKey: sandbox.key.key, authToken: null })],
    ['Authorization', () => ({ apiKey: null, authToken: sandbox.key.key })],
  ])('a message is returned for an API key in %s', async (_header, credentials) => {
    const client = new Anthropic({ baseURL: sandbox.gateway.url, ...credentials() });
    const message = await client.messages.create(ASKED);
    expect(textOf(message)).toMatch(/\w/);
    expect(message.usage.output_tokens).toBeGreaterThan(0);
  });

  test('a stream has the same text and stop reason as a buffered message', async () => {
    const whole = await anthropic.messages.create(ASKED);
    const streamed = await anthropic.messages.stream(ASKED).finalMessage();
    expect(textOf(streamed)).toBe(textOf(whole));
    expect(streamed.stop_reason).toBe(whole.stop_reason);
  });

  test('a tool is called and its result is accepted', async () => {
    const asked = { ...ASKED, tools: [WEATHER], tool_choice: { type: 'tool' as const, name: 'weather' } };
    const called = await anthropic.messages.create(asked);
    const call = called.content.find((block) => block.type === 'tool_use')!;
    expect(call).toMatchObject({ name: 'weather', input: { city: expect.any(String) } });
    const answered = await anthropic.messages.create({
      ...ASKED,
      tools: [WEATHER],
      messages: [
        ...ASKED.messages,
        { role: 'assistant', content: called.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'sunny' }] },
      ],
    });
    expect(textOf(answered)).toMatch(/\w/);
  });

  test('a structured output matches its schema', async () => {
    const format = { type: 'json_schema' as const, schema: { ...WEATHER.input_schema, additionalProperties: false } };
    const parsed = await anthropic.messages.parse({ ...ASKED, output_config: { format } });
    expect(JSON.parse(textOf(parsed))).toEqual({ city: expect.any(String) });
  });

  test('a streamed tool call has its complete input', async () => {
    const stream = anthropic.messages.stream({
      ...ASKED,
      tools: [WEATHER],
      tool_choice: { type: 'tool', name: 'weather' },
    });
    const { content } = await stream.finalMessage();
    expect(content).toContainEqual(expect.objectContaining({ type: 'tool_use', input: { city: expect.any(String) } }));
  });

  (profile === 'current' ? test : test.skip)("models are listed in Anthropic's format", async () => {
    const models = [];
    for await (const model of anthropic.models.list({ limit: 1_000 })) models.push(model);
    expect(models).toContainEqual(
      expect.objectContaining({
        id: ASKED.model,
        type: 'model',
        display_name: expect.any(String),
        created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
      }),
    );
    expect(await anthropic.models.retrieve(ASKED.model)).toMatchObject({ id: ASKED.model, type: 'model' });
  });

  (profile === 'current' ? test : test.skip)('tokens are counted without creating a message', async () => {
    const { messages, model } = ASKED;
    expect((await anthropic.messages.countTokens({ messages, model })).input_tokens).toBeGreaterThan(0);
  });

  test('beta features reach the provider in the anthropic-beta header', async () => {
    await anthropic.beta.messages.create({ ...ASKED, betas: ['prompt-caching-2024-07-31'] });
    const { headers } = sandbox.seen.at(-1)!.incoming;
    expect(headers['anthropic-beta']).toContain('prompt-caching-2024-07-31');
    expect(headers['anthropic-version']).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  test('an aborted stream ends the upstream request', async () => {
    const messages = [{ role: 'user' as const, content: 'word '.repeat(2_000) }];
    const stream = await anthropic.messages.create({ ...ASKED, max_tokens: 4_000, messages, stream: true });
    const { incoming } = sandbox.seen.at(-1)!;
    await stream[Symbol.asyncIterator]().next();
    stream.controller.abort();
    await until(() => incoming.socket.destroyed);
  });

  describe('error classes', () => {
    const errorOf = (call: PromiseLike<unknown>) =>
      Promise.resolve(call).then(
        () => new Error('The request succeeded'),
        (error: unknown) => error,
      );
    const typeOf = (error: unknown) => (error as { error?: { error?: { type?: string } } }).error?.error?.type;
    const codeOf = (error: unknown) => (error as { error?: { error?: { code?: string } } }).error?.error?.code;

    test('an unknown API key becomes an AuthenticationError (401)', async () => {
      const unknown = new Anthropic({ baseURL: sandbox.gateway.url, apiKey: 'sk-gw-nobody', authToken: null });
      const error = await errorOf(unknown.messages.create(ASKED));
      expect(error).toBeInstanceOf(Anthropic.AuthenticationError);
      expect(codeOf(error)).toBe('invalid_api_key');
    });

    test('an unavailable model becomes a PermissionDeniedError (403)', async () => {
      const error = await errorOf(anthropic.messages.create({ ...ASKED, model: 'claude-of-nobody' }));
      expect(error).toBeInstanceOf(Anthropic.PermissionDeniedError);
      expect(codeOf(error)).toBe('model_not_available');
      if (profile === 'current') expect(typeOf(error)).toBe('permission_error');
      const { requestID, error: body } = error as InstanceType<typeof Anthropic.APIError>;
      expect(requestID).toBe((body as { error: { request_id: string } }).error.request_id);
    });

    test('an invalid model becomes a BadRequestError (400)', async () => {
      const error = await errorOf(anthropic.messages.create({ ...ASKED, model: 1 as unknown as string }));
      expect(error).toBeInstanceOf(Anthropic.BadRequestError);
      expect(codeOf(error)).toBe('invalid_type');
    });

    test('an exceeded daily limit becomes a RateLimitError (429) with Retry-After and is not retried', async () => {
      const { key } = await sandbox.gateway.createKey({ rpd_limit: 1 });
      const client = new Anthropic({ baseURL: sandbox.gateway.url, apiKey: key, authToken: null });
      await client.messages.create(ASKED);
      const before = sandbox.seen.length;
      const error = await errorOf(client.messages.create(ASKED));
      expect(error).toBeInstanceOf(Anthropic.RateLimitError);
      expect(Number((error as { headers?: Headers }).headers?.get('retry-after'))).toBeGreaterThan(0);
      expect(sandbox.seen.length).toBe(before);
    });
  });
});
