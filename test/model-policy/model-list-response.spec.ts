import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { MODEL_FLAGS } from '../../src/model-policy/registry/model-facts.js';
import { World, listed } from './fakes.js';

const ALL = { allowedModels: null };
let world: World;
beforeAll(() => {
  Logger.overrideLogger(false);
});
afterEach(() => world.stop());

const idsFor = async (allowedModels: string[] | null) =>
  (await world.list.entries({ allowedModels })).map(({ id }) => id);

describe('entries of the model list', () => {
  test('the entry of a known model has the standard fields unchanged and all gw_ fields', async () => {
    world = await World.serving([{ id: 'gpt-4o', object: 'model', created: 1_700_000_000, owned_by: 'openai' }]);
    expect(await world.list.find('gpt-4o', ALL)).toEqual({
      id: 'gpt-4o',
      object: 'model',
      created: 1_700_000_000,
      owned_by: 'openai',
      gw_available: true,
      gw_availability: 'callable',
      gw_category: 'chat',
      gw_endpoints: ['/v1/chat/completions', '/v1/completions', '/v1/responses'],
      gw_provider: 'openai',
      gw_reasoning: false,
      gw_vision: true,
      gw_web_search: false,
      gw_audio_input: false,
      gw_tool_use: true,
      gw_json_mode: true,
      gw_thinking: false,
      gw_computer_use: false,
    });
  });

  test('the entry of a custom model omits category and endpoints, and all its flags are false', async () => {
    world = await World.serving([listed('acme-custom-1', 'acme')]);
    const { gw_availability, gw_available, gw_provider, ...rest } = await world.list.find('acme-custom-1', ALL);
    expect({ gw_availability, gw_available, gw_provider }).toEqual({
      gw_availability: 'unclassified',
      gw_available: true,
      gw_provider: 'acme',
    });
    expect(rest).toEqual({
      ...listed('acme-custom-1', 'acme'),
      ...Object.fromEntries(MODEL_FLAGS.map((flag) => [`gw_${flag}`, false])),
    });
  });

  test('the entry of a realtime model omits category and endpoints, and is not available', async () => {
    world = await World.serving(['gpt-4o-realtime-preview']);
    const entry = await world.list.find('gpt-4o-realtime-preview', ALL);
    expect(entry).not.toHaveProperty('gw_category');
    expect(entry).not.toHaveProperty('gw_endpoints');
    expect(entry).toMatchObject({ gw_available: false, gw_availability: 'unclassified', gw_provider: 'openai' });
  });

  test('a broken model is listed as unavailable unless the model policy allows it', async () => {
    const registry =
      '{"models": [{"id": "gpt-4o", "availability": "registry_broken"}, {"id": "o1", "availability": "registry_broken"}]}';
    world = await World.serving(['gpt-4o', 'o1'], { registry, policies: { o1: true } });
    expect((await world.list.entries(ALL)).map((entry) => [entry.gw_availability, entry.gw_available])).toEqual([
      ['registry_broken', false],
      ['registry_broken', true],
    ]);
  });

  test.each([
    ['kit-org/one', 'system', 'kit-org'],
    ['kit-org/two', 'kit-owner', 'kit-org'],
    ['acme/family/x:free', 'acme', 'acme'],
    ['kit', 'kit_owner-2', 'kit_owner-2'],
    ['kit', 'system', undefined],
    ['kit', 'user', undefined],
    ['kit', 'organization-owner', undefined],
    ['kit', 'No Slug!', undefined],
    ['kit', 'x', undefined],
    ['kit', 'y'.repeat(33), undefined],
    ['No Slug/x', 'acme', 'acme'],
    ['openai/gpt-4o', 'acme', 'openai'],
  ])('the model %s, owned by %s, has gw_provider %s', async (id, owner, provider) => {
    world = await World.serving([listed(id, owner)]);
    const entry = await world.list.find(id, ALL);
    expect(entry.gw_provider).toBe(provider);
    expect('gw_provider' in entry).toBe(provider !== undefined);
  });
});

describe('model list', () => {
  test('lists models in upstream order, without those that the policy or the key excludes', async () => {
    world = await World.serving(['o1', 'gpt-4o', 'acme/x', 'acme/y', 'whisper-1'], {
      policies: { 'acme/y': false, ghost: true },
    });
    expect(await idsFor(null)).toEqual(['o1', 'gpt-4o', 'acme/x', 'whisper-1']);
    expect(await idsFor(['whisper-1', 'acme/y', 'o1'])).toEqual(['o1', 'whisper-1']);
    expect(await idsFor(['acme/*'])).toEqual(['acme/x']);
    expect(await idsFor([])).toEqual(['o1', 'gpt-4o', 'acme/x', 'whisper-1']);
  });

  test('the list changes with the catalog', async () => {
    world = await World.serving(['o1']);
    expect(await idsFor(null)).toEqual(['o1']);
    world.upstream.lists('gpt-4o');
    await world.catalog.refresh();
    expect(await idsFor(null)).toEqual(['gpt-4o']);
  });

  test('returns upstream_error without any copy of the catalog', async () => {
    world = new World();
    world.start();
    await expect(world.list.entries(ALL)).rejects.toMatchObject({ code: 'upstream_error' });
    await expect(world.list.find('gpt-4o', ALL)).rejects.toMatchObject({ code: 'upstream_error' });
  });
});

test('a lookup checks whether the model is listed, then blocked, then allowed for the key', async () => {
  world = await World.serving(['o1', 'gpt-4o'], { policies: { o1: false, ghost: true } });
  const codeOf = (id: string, allowedModels: string[] | null) =>
    world.list.find(id, { allowedModels }).then(
      () => 'found',
      (error: { code: string }) => error.code,
    );
  expect(await codeOf('nope', ['gpt-4o'])).toBe('not_found');
  expect(await codeOf('ghost', null)).toBe('not_found');
  expect(await codeOf('o1', ['gpt-4o'])).toBe('model_not_available');
  expect(await codeOf('gpt-4o', ['o1'])).toBe('model_not_allowed');
  expect(await codeOf('gpt-4o', ['gpt-4o'])).toBe('found');
});
