import CurrentAnthropic from '@anthropic-ai/sdk';
import OldAnthropic from 'anthropic-0';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { PROFILES, startSandboxGateway, type SandboxGateway } from '../support/sandbox-gateway.js';

/** The calls in this file have the same types in both versions. */
const VERSIONS = { '0.x': OldAnthropic as unknown as typeof CurrentAnthropic, current: CurrentAnthropic };
const CLIENTS = PROFILES.flatMap((profile) =>
  Object.entries(VERSIONS).map(([version, Anthropic]) => ({ version, profile, Anthropic })),
);

describe.each(CLIENTS)('$version with the profile $profile', ({ profile, Anthropic }) => {
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
  ])('a message, the key in %s', async (_header, credentials) => {
    const client = new Anthropic({ baseURL: sandbox.gateway.url, ...credentials() });
    const message = await client.messages.create(ASKED);
    expect(textOf(message)).toMatch(/\w/);
    expect(message.usage.output_tokens).toBeGreaterThan(0);
  });

  test('a stream comes to the same message', async () => {
    const whole = await anthropic.messages.create(ASKED);
    const streamed = await anthropic.messages.stream(ASKED).finalMessage();
    expect(textOf(streamed)).toBe(textOf(whole));
    expect(streamed.stop_reason).toBe(whole.stop_reason);
  });

  test('a tool is called, and its result taken', async () => {
    const asked = { ...ASKED, tools: [WEATHER], tool_choice: { type: 'tool' as const, name: 'weather' } };
    const called = await anthropic.messages.create(asked);
    const call = called.content.find((block) => block.type === 'tool_use')!;
    expect(call).toMatchObject({ name: 'weather', input: { city: expect.any(String) } });
    const answered = await anthropic.messages.create({
      ...{ ...ASKED, tools: [WEATHER] },
      messages: [
        ...ASKED.messages,
        { role: 'assistant', content: called.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'sunny' }] },
      ],
    });
    expect(textOf(answered)).toMatch(/\w/);
  });

  test('an answer of the form asked for', async () => {
    const format = { type: 'json_schema' as const, schema: { ...WEATHER.input_schema, additionalProperties: false } };
    const parsed = await anthropic.messages.parse({ ...ASKED, output_config: { format } });
    expect(JSON.parse(textOf(parsed))).toEqual({ city: expect.any(String) });
  });

  test('a tool call is streamed', async () => {
    const stream = anthropic.messages.stream({
      ...{ ...ASKED, tools: [WEATHER] },
      tool_choice: { type: 'tool', name: 'weather' },
    });
    const { content } = await stream.finalMessage();
    expect(content).toContainEqual(expect.objectContaining({ type: 'tool_use', input: { city: expect.any(String) } }));
  });

  (profile === 'current' ? test : test.skip)("lists models in Anthropic's shape", async () => {
    const models = [];
    for await (const model of anthropic.models.list({ limit: 1_000 })) models.push(model);
    expect(models).toContainEqual(
      expect.objectContaining({
        ...{ id: ASKED.model, type: 'model', display_name: expect.any(String) },
        created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
      }),
    );
    expect(await anthropic.models.retrieve(ASKED.model)).toMatchObject({ id: ASKED.model, type: 'model' });
  });

  (profile === 'current' ? test : test.skip)('counts the tokens of a message without an answer', async () => {
    const { messages, model } = ASKED;
    expect((await anthropic.messages.countTokens({ messages, model })).input_tokens).toBeGreaterThan(0);
  });

  test('beta features reach the provider in its header', async () => {
    await anthropic.beta.messages.create({ ...ASKED, betas: ['prompt-caching-2024-07-31'] });
    const { headers } = sandbox.seen.at(-1)!.incoming;
    expect(headers['anthropic-beta']).toContain('prompt-caching-2024-07-31');
    expect(headers['anthropic-version']).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  test('a stream that is given up ends upstream too', async () => {
    const messages = [{ role: 'user' as const, content: 'word '.repeat(2_000) }];
    const stream = await anthropic.messages.create({ ...ASKED, max_tokens: 4_000, messages, stream: true });
    const { incoming } = sandbox.seen.at(-1)!;
    await stream[Symbol.asyncIterator]().next();
    stream.controller.abort();
    await until(() => incoming.socket.destroyed, 1_000);
  });

  describe('a refusal is the error that the client has for it', () => {
    const errorOf = (call: PromiseLike<unknown>) =>
      Promise.resolve(call).then(
        () => new Error('It has not failed'),
        (error: unknown) => error,
      );
    const typeOf = (error: unknown) => (error as { error?: { error?: { type?: string } } }).error?.error?.type;
    const codeOf = (error: unknown) => (error as { error?: { error?: { code?: string } } }).error?.error?.code;

    test('401', async () => {
      const stranger = new Anthropic({ baseURL: sandbox.gateway.url, apiKey: 'sk-gw-nobody', authToken: null });
      const error = await errorOf(stranger.messages.create(ASKED));
      expect(error).toBeInstanceOf(Anthropic.AuthenticationError);
      expect(codeOf(error)).toBe('invalid_api_key');
    });

    test('403', async () => {
      const error = await errorOf(anthropic.messages.create({ ...ASKED, model: 'claude-of-nobody' }));
      expect(error).toBeInstanceOf(Anthropic.PermissionDeniedError);
      expect(codeOf(error)).toBe('model_not_available');
      if (profile === 'current') expect(typeOf(error)).toBe('permission_error');
      const { requestID, error: body } = error as InstanceType<typeof Anthropic.APIError>;
      expect(requestID).toBe((body as { error: { request_id: string } }).error.request_id);
    });

    test('400', async () => {
      const error = await errorOf(anthropic.messages.create({ ...ASKED, model: 1 as unknown as string }));
      expect(error).toBeInstanceOf(Anthropic.BadRequestError);
      expect(codeOf(error)).toBe('invalid_type');
    });

    test('429', async () => {
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
