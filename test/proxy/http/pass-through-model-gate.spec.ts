import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Key, TestGateway } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { GATED, withIds } from './pass-through.js';

const RUNS = '/v1/threads/{thread_id}/runs';

let gateway: TestGateway;
let key: Key;
let restricted: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
  restricted = await gateway.createKey({ allowed_models: ['gpt-4o'] });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

/** D9: clients must not bypass the allowlist with assistants. */
describe.each(GATED)('POST %s', (template) => {
  const { path } = withIds(`POST ${template}`);
  async function post(body: unknown, by: Key = key, headers: Record<string, string> = {}) {
    gateway.upstream.on('POST', path, (_request, response) => void response.writeHead(200).end('{}'));
    const { status, body: received } = await gateway.call<{ error?: { code: string; param: string | null } }>(
      'POST',
      path,
      {
        key: by,
        body,
        headers,
      },
    );
    return { status, code: received.error?.code, param: received.error?.param, sent: gateway.upstream.requests.length };
  }

  test('an allowed model is forwarded', async () => {
    expect(await post({ model: 'gpt-4o', assistant_id: 'a' }, restricted)).toMatchObject({ status: 200, sent: 1 });
  });

  test('a model that is not allowed returns 403', async () => {
    expect(await post({ model: 'gpt-4o-mini' }, restricted)).toMatchObject({
      status: 403,
      code: 'model_not_allowed',
      sent: 0,
    });
  });

  test('a fallback that is not allowed returns 403', async () => {
    expect(await post({ model: 'gpt-4o', models: ['gpt-4o-mini'] }, restricted)).toMatchObject({
      status: 403,
      sent: 0,
    });
  });

  test('an unknown model returns 403', async () => {
    expect(await post({ model: 'no-such-model' })).toMatchObject({ status: 403, code: 'model_not_available', sent: 0 });
  });

  test('a model that is not a chat model returns 400 model_endpoint_mismatch', async () => {
    expect(await post({ model: 'text-embedding-3-small' })).toMatchObject({
      status: 400,
      code: 'model_endpoint_mismatch',
      sent: 0,
    });
  });

  test('a model of more than 200 characters returns 400 invalid_value', async () => {
    expect(await post({ model: 'm'.repeat(201) })).toMatchObject({
      status: 400,
      code: 'invalid_value',
      param: 'model',
      sent: 0,
    });
  });

  test('two model fields return 400 invalid_value', async () => {
    expect(await post('{"model":"gpt-4o","model":"gpt-4o-mini"}')).toMatchObject({
      status: 400,
      code: 'invalid_value',
      param: 'model',
    });
  });

  test.each([
    ['malformed JSON', '{', 'invalid_json', {}],
    ['not an object', '[1]', 'invalid_type', {}],
    ['not declared as JSON', '{}', 'invalid_content_type', { 'content-type': 'text/plain' }],
  ])('a body that is %s gets the same error as on a JSON route', async (_what, body, code, headers) => {
    expect(await post(body, key, headers as Record<string, string>)).toMatchObject({ status: 400, code, sent: 0 });
  });

  test.each([{}, { model: null }, { model: 5, temperature: 'hot', tools: 1 }, { name: 'x' }])(
    'a body without a model name is forwarded without validation: %j',
    async (body) => {
      expect(await post(body)).toMatchObject({ status: 200, sent: 1 });
    },
  );

  test.each([{}, { model: null }, { model: 5 }])(
    'a key with allowed models has to name a model for a run, but not for an assistant: %j',
    async (body) => {
      const expected =
        template === RUNS ? { status: 403, code: 'model_not_allowed', sent: 0 } : { status: 200, sent: 1 };
      expect(await post(body, restricted)).toMatchObject(expected);
    },
  );
});
