import { describe, expect, test } from '@jest/globals';

import { SANDBOX_MODELS } from '../../sandbox/src/models.data.js';
import { useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const MAKERS = ['anthropic', 'cohere', 'deepseek', 'google', 'meta', 'mistral', 'openai', 'qwen', 'xai'];

describe('sandbox models', () => {
  test('every model is listed once, in the vendor’s format', async () => {
    const list = JSON.parse((await sandbox.get('/v1/models')).text);
    const ids = list.data.map((model: { id: string }) => model.id);

    expect(list.object).toBe('list');
    expect(list.data).toContainEqual({ id: 'gpt-4o', object: 'model', created: 1715367049, owned_by: 'openai' });
    expect(ids).toHaveLength(SANDBOX_MODELS.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('the models come from nine known makers and an unknown one', () => {
    const owners = new Set(SANDBOX_MODELS.map((model) => model.owned_by));

    expect([...owners].sort()).toEqual(['acme', ...MAKERS]);
  });

  test.each(['acme-custom-1', 'gpt-3.5-turbo', 'qwen/qwen3-32b', 'qwen%2Fqwen3-32b'])(
    'the model at the path %s can be read',
    async (path) => {
      const reply = await sandbox.get(`/v1/models/${path}`);

      expect(reply.status).toBe(200);
      expect(JSON.parse(reply.text)).toMatchObject({ id: decodeURIComponent(path), object: 'model' });
    },
  );

  test('an unknown model returns a 404 with model_not_found', async () => {
    const reply = await sandbox.get('/v1/models/nobody-1');

    expect(reply.status).toBe(404);
    expect(JSON.parse(reply.text).error.code).toBe('model_not_found');
  });
});
