import { afterEach, describe, expect, test } from '@jest/globals';
import type { Config } from '../../src/platform/config/config.js';
import { CONFIG, CURRENT, World, contextFor } from './fakes.js';

const ROUTES = ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1/embeddings', '/v1/images/generations'];
const KEY = { allowedModels: null };

let world: World;
afterEach(() => world.stop());
const serve = async (config: Config, policies: Record<string, boolean>) =>
  (world = await World.serving(['gpt-4o', 'acme-1'], { policies, config }));
const judge = (endpoint: string, model: string, allowed: string[] | null = null) => {
  const refusal = world.gate.judge(contextFor(endpoint, { model }, allowed));
  return refusal === null ? 'passes' : `${refusal.status} ${refusal.code}`;
};

describe('models that only an allow entry names', () => {
  test('an allowed unlisted model is routed on every route and listed with GW_PROFILE=current', async () => {
    await serve(CURRENT, { 'my-deployment': true });
    for (const route of ROUTES) expect([route, judge(route, 'my-deployment')]).toEqual([route, 'passes']);
    expect(await world.list.find('my-deployment', KEY)).toMatchObject({
      id: 'my-deployment',
      object: 'model',
      created: 0,
      owned_by: 'system',
      gw_available: true,
      gw_availability: 'unclassified',
    });
    expect((await world.list.entries(KEY)).map(({ id }) => id)).toEqual(['gpt-4o', 'acme-1', 'my-deployment']);
  });

  test('an allowed unlisted model has the category and provider from the registry', async () => {
    await serve(CURRENT, { 'claude-opus-5': true });
    expect(judge('/v1/messages', 'claude-opus-5')).toBe('passes');
    expect(judge('/v1/responses', 'claude-opus-5')).toBe('400 model_endpoint_mismatch');
    expect(await world.list.find('claude-opus-5', KEY)).toMatchObject({ owned_by: 'anthropic', gw_category: 'chat' });
  });

  test('an allowed unlisted model is rejected for a key whose allowed models omit it', async () => {
    await serve(CURRENT, { 'my-deployment': true });
    expect(judge('/v1/responses', 'my-deployment', ['gpt-4o'])).toBe('403 model_not_allowed');
    expect((await world.list.entries({ allowedModels: ['gpt-4o'] })).map(({ id }) => id)).toEqual(['gpt-4o']);
  });

  test('an allowed unlisted model stays unlisted and returns 403 with GW_PROFILE=specification (D12)', async () => {
    await serve(CONFIG, { 'my-deployment': true, 'acme-1': true });
    for (const route of ROUTES) expect(judge(route, 'my-deployment')).toBe('403 model_not_available');
    expect((await world.list.entries(KEY)).map(({ id }) => id)).toEqual(['gpt-4o', 'acme-1']);
    await expect(world.list.find('my-deployment', KEY)).rejects.toMatchObject({ status: 404 });
    expect(judge('/v1/responses', 'acme-1')).toBe('400 model_endpoint_mismatch');
  });

  test('an unlisted model is rejected while it is blocked and after its entry is removed', async () => {
    await serve(CURRENT, { 'my-deployment': false });
    expect(judge('/v1/responses', 'my-deployment')).toBe('403 model_not_available');
    expect((await world.list.entries(KEY)).map(({ id }) => id)).not.toContain('my-deployment');
    const change = async (rows: [string, boolean][]) => {
      const changed = new Promise<void>((resolve) => world.states.onChange(resolve));
      world.policyStore.rows = new Map(rows);
      world.changes.notify('tables');
      await changed;
    };
    await change([['my-deployment', true]]);
    expect(judge('/v1/responses', 'my-deployment')).toBe('passes');
    expect((await world.list.entries(KEY)).map(({ id }) => id)).toContain('my-deployment');
    await change([]);
    expect(judge('/v1/responses', 'my-deployment')).toBe('403 model_not_available');
    expect((await world.list.entries(KEY)).map(({ id }) => id)).not.toContain('my-deployment');
  });

  test('an allowed unlisted model is listed even if the upstream has no model list', async () => {
    world = new World({ config: CURRENT });
    world.upstream.fails();
    world.policyStore.rows = new Map([['my-deployment', true]]);
    world.start();
    await world.gate.whenReady();
    expect((await world.list.entries(KEY)).map(({ id }) => id)).toEqual(['my-deployment']);
    expect(judge('/v1/responses', 'my-deployment')).toBe('passes');
  });
});

test('an allow entry routes a listed custom model on /v1/responses with GW_PROFILE=current', async () => {
  await serve(CURRENT, { 'acme-1': true });
  expect(judge('/v1/responses', 'acme-1')).toBe('passes');
  expect(judge('/v1/messages', 'acme-1')).toBe('passes');
});

test('the model gate uses the owner from the catalog', async () => {
  world = await World.serving([{ id: 'new-name-1', owned_by: 'openai' }, 'new-name-2']);
  expect(judge('/v1/responses', 'new-name-1')).toBe('passes');
  expect(judge('/v1/responses', 'new-name-2')).toBe('400 model_endpoint_mismatch');
});
