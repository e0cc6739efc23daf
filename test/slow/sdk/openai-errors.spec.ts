import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { TestGateway, type Key } from '../../support/gateway.js';
import { PROFILES } from '../../support/sandbox-gateway.js';

describe.each(PROFILES)('OpenAI SDK errors with the profile %s', (profile) => {
  let gateway: TestGateway;
  let key: Key;
  /** Requests that the SDK sent during the current test. */
  let sent = 0;

  beforeAll(async () => {
    gateway = await TestGateway.start({ GW_PROFILE: profile });
    key = await gateway.createKey();
    const server = gateway.app.getHttpServer();
    server.on('request', ({ url }: IncomingMessage) => (sent += Number(url?.startsWith('/v1'))));
  });
  beforeEach(() => {
    gateway.upstream.reset();
    sent = 0;
  });
  afterAll(() => gateway?.stop());

  const clientOf = (apiKey = key.key, maxRetries = 1) =>
    new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries });
  const ASKED = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'Hello' }] };
  const CHAT = ['POST', '/v1/chat/completions'] as const;

  type Failure = InstanceType<typeof OpenAI.APIError>;

  async function errorOf(call: PromiseLike<unknown>): Promise<Failure> {
    try {
      await call;
    } catch (error) {
      return error as Failure;
    }
    throw new Error('The request succeeded');
  }

  const chat = (client: OpenAI, fields: object = {}) => client.chat.completions.create({ ...ASKED, ...fields });

  describe('errors that the SDK does not retry', () => {
    test('an unknown API key becomes an AuthenticationError (401)', async () => {
      const error = await errorOf(chat(clientOf('sk-gw-nobody')));
      expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
      expect(error).toMatchObject({ code: 'invalid_api_key', type: 'authentication_error', param: null });
      expect(error.requestID).toBe((error.error as { request_id: string }).request_id);
    });

    test('a suspended API key becomes a PermissionDeniedError (403)', async () => {
      const suspended = await gateway.createKey();
      await gateway.admin('POST', `/admin/api-keys/${suspended.id}/suspend`);
      const error = await errorOf(chat(clientOf(suspended.key)));
      expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
      expect(error.code).toBe('api_key_suspended');
    });

    test('a model that the API key does not allow becomes a PermissionDeniedError (403)', async () => {
      const narrow = await gateway.createKey({ allowed_models: ['gpt-4o'] });
      const error = await errorOf(chat(clientOf(narrow.key)));
      expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
      expect(error).toMatchObject({ code: 'model_not_allowed', param: 'model' });
    });

    test('an unknown model ID becomes a NotFoundError (404)', async () => {
      const error = await errorOf(clientOf().models.retrieve('nothing'));
      expect(error).toBeInstanceOf(OpenAI.NotFoundError);
      expect(error.code).toBe('not_found');
    });

    test('an invalid model becomes a BadRequestError (400)', async () => {
      const error = await errorOf(chat(clientOf(), { model: 1 as unknown as string }));
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({ code: 'invalid_type', param: 'model' });
    });

    test('a body that is too large fails with status 413', async () => {
      const error = await errorOf(chat(clientOf(), { user_note: 'x'.repeat(11 * 1024 * 1024) }));
      expect([error.status, error.code]).toEqual([413, 'request_too_large']);
    });

    test('an exceeded daily limit becomes a RateLimitError (429) with x-should-retry: false', async () => {
      const small = await gateway.createKey({ rpd_limit: 1 });
      await chat(clientOf(small.key));
      sent = 0;
      const error = await errorOf(chat(clientOf(small.key)));
      expect(error).toBeInstanceOf(OpenAI.RateLimitError);
      expect(error.headers?.get('x-should-retry')).toBe('false');
      expect(Number(error.headers?.get('retry-after'))).toBeGreaterThan(0);
    });

    test('a 400 from the provider is relayed or becomes a 502, with its message', async () => {
      gateway.upstream.on(...CHAT, (_request, response) => {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end('{"error":{"message":"no such voice"}}');
      });
      const error = await errorOf(chat(clientOf()));
      if (profile === 'current') expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      else expect(error).toMatchObject({ status: 502, code: 'upstream_error' });
      expect(error.message).toContain('no such voice');
      expect(gateway.upstream.requests).toHaveLength(1);
    });

    (profile === 'current' ? test : test.skip)(
      'a context overflow at the provider becomes a BadRequestError with its code',
      async () => {
        const overflow = { message: 'Too long', type: 'invalid_request_error', param: 'messages' };
        gateway.upstream.on(...CHAT, (_request, response) => {
          response.writeHead(400, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ error: { ...overflow, code: 'context_length_exceeded' } }));
        });
        const error = await errorOf(chat(clientOf()));
        expect(error).toBeInstanceOf(OpenAI.BadRequestError);
        expect(error).toMatchObject({
          code: 'context_length_exceeded',
          param: 'messages',
          type: 'invalid_request_error',
        });
        expect(error.requestID).toMatch(/./);
      },
    );

    afterEach(() => expect(sent).toBe(1));
  });

  describe('errors that the SDK can retry', () => {
    test('an exceeded minute limit becomes a RateLimitError (429) with Retry-After', async () => {
      const small = await gateway.createKey({ rpm_limit: 1 });
      // A minute boundary can pass between two of the requests.
      const errors = await Promise.allSettled([0, 1, 2].map(() => chat(clientOf(small.key, 0))));
      const refused = errors.flatMap((one) => (one.status === 'rejected' ? [one.reason as Failure] : []));
      expect(refused[0]).toBeInstanceOf(OpenAI.RateLimitError);
      expect(Number(refused[0]!.headers?.get('retry-after'))).toBeGreaterThan(0);
      expect(refused[0]!.headers?.get('x-should-retry')).toBeNull();
    });

    test('a 502 after a provider error is retried and succeeds', async () => {
      gateway.upstream.on(...CHAT, (_request, response) => {
        gateway.upstream.reset();
        response.writeHead(500).end();
      });
      expect(await chat(clientOf())).toMatchObject({ object: 'chat.completion' });
      expect(sent).toBe(2);
    });

    test('a 502 after a provider error is retried up to the SDK’s maxRetries', async () => {
      gateway.upstream.on(...CHAT, (_request, response) => void response.writeHead(500).end());
      const error = await errorOf(chat(clientOf()));
      expect(error).toBeInstanceOf(OpenAI.InternalServerError);
      expect(gateway.upstream.requests).toHaveLength(2);
    });
  });

  test('a broken stream is an error', async () => {
    gateway.upstream.on(...CHAT, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n', () => response.destroy());
    });
    const stream = await clientOf().chat.completions.create({ ...ASKED, stream: true });
    const chunks = stream[Symbol.asyncIterator]();
    expect((await chunks.next()).value?.choices[0]?.delta.content).toBe('Hel');
    await expect(chunks.next()).rejects.toThrow();
  });

  test('an aborted request ends the upstream request before the response arrives', async () => {
    const disconnected = new Promise((resolve) => {
      gateway.upstream.on(...CHAT, (_request, response) => void response.on('close', resolve));
    });
    const abort = new AbortController();
    const error = errorOf(clientOf().chat.completions.create(ASKED, { signal: abort.signal }));
    await gateway.upstream.received(0);
    abort.abort();
    expect(await error).toBeInstanceOf(OpenAI.APIUserAbortError);
    await disconnected;
  });
});
