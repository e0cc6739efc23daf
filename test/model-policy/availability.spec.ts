import { describe, expect, test } from '@jest/globals';
import {
  ALLOWLIST_AVAILABILITIES,
  availabilityOf,
  obstacleOf,
  type ModelState,
} from '../../src/model-policy/availability.rules.js';
import type { ModelObstacle } from '../../src/errors/catalogue.js';
import { allowlistRow, LISTED_CATEGORIES, matchesFilter } from '../../src/model-policy/model-allowlist.service.js';
import { endpointMismatch } from '../../src/model-policy/model-gate.rules.js';
import { ModelRegistry } from '../../src/model-policy/registry/model-registry.js';
import type { Availability, ModelFacts } from '../../src/model-policy/registry/model-facts.js';

const known = new ModelRegistry().lookup('gpt-4o')!;
const facts = (availability: Availability): ModelFacts => ({ ...known, availability });
const state = (given: Partial<ModelState>): ModelState => ({
  listed: true,
  facts: known,
  enabled: undefined,
  probe: undefined,
  ...given,
});
const CUSTOM = null;
const BROKEN = facts('registry_broken');

describe('availability', () => {
  test.each<[string, Pick<ModelState, 'facts' | 'probe'>, Availability]>([
    ['known', { facts: known, probe: undefined }, 'callable'],
    ['unknown', { facts: CUSTOM, probe: undefined }, 'unclassified'],
    ['marked broken', { facts: BROKEN, probe: undefined }, 'registry_broken'],
    ['unknown, probed well', { facts: CUSTOM, probe: 'callable' }, 'callable'],
    ['known, probed badly', { facts: known, probe: 'listed_unavailable' }, 'listed_unavailable'],
    ['marked broken, probed well', { facts: BROKEN, probe: 'callable' }, 'registry_broken'],
    ['marked broken, probed badly', { facts: BROKEN, probe: 'listed_unavailable' }, 'listed_unavailable'],
  ])('of a model that is %s', (_what, given, expected) => {
    expect(availabilityOf(given)).toBe(expected);
  });
});

describe('routing (D12)', () => {
  test.each<[string, Partial<ModelState>, ModelObstacle | null]>([
    ['known and listed', {}, null],
    ['unknown and listed', { facts: CUSTOM }, null],
    ['known and not listed', { listed: false }, 'not_listed'],
    ['allowed and not listed', { listed: false, enabled: true }, 'not_listed'],
    ['blocked', { enabled: false }, 'blocked'],
    ['unknown and blocked', { facts: CUSTOM, enabled: false }, 'blocked'],
    ['broken', { facts: BROKEN }, 'broken'],
    ['broken and allowed', { facts: BROKEN, enabled: true }, null],
    ['broken and blocked', { facts: BROKEN, enabled: false }, 'blocked'],
    ['unavailable by its probe', { probe: 'listed_unavailable' }, 'not_answering'],
    ['unavailable by its probe and allowed', { probe: 'listed_unavailable', enabled: true }, 'not_answering'],
    ['broken, unavailable and allowed', { facts: BROKEN, probe: 'listed_unavailable', enabled: true }, 'not_answering'],
    ['known, no catalog', { listed: null }, null],
    ['unknown, no catalog', { listed: null, facts: CUSTOM }, 'not_confirmed'],
    ['unknown, no catalog, allowed', { listed: null, facts: CUSTOM, enabled: true }, null],
    ['known, no catalog, blocked', { listed: null, enabled: false }, 'blocked'],
    ['broken, no catalog', { listed: null, facts: BROKEN }, 'broken'],
    ['broken, no catalog, allowed', { listed: null, facts: BROKEN, enabled: true }, null],
  ])('what is in the way of a model that is %s', (_what, given, expected) => {
    expect(obstacleOf(state(given))).toBe(expected);
  });
});

describe('a row of the allowlist', () => {
  const updatedAt = new Date(7);
  const policy = { model: 'gpt-4o', enabled: false, note: 'why', updatedAt, updatedBy: 'someone' };
  const NO_POLICY = { enabled: null, note: null, updatedAt: null, updatedBy: null };
  const asked = { facts: known, probe: undefined } as const;
  const realtime: ModelFacts = { ...known, category: 'realtime', endpoints: [] };

  test('of a listed model tells registry, catalog and policy', () => {
    const row = allowlistRow({ id: 'gpt-4o', owner: 'system', state: asked }, policy, false);
    expect(row).toEqual({
      ...policy,
      availability: 'callable',
      category: 'chat',
      provider: 'openai',
      capabilities: ['vision', 'tool_use', 'json_mode'],
      endpoints: known.endpoints,
    });
  });

  test('without a policy row has its four fields null; of a custom model it tells the owner and no more', () => {
    expect(allowlistRow({ id: 'm', owner: 'acme', state: { facts: CUSTOM, probe: undefined } }, null, true)).toEqual({
      ...{ model: 'm', ...NO_POLICY, availability: 'unclassified' },
      ...{ category: null, provider: 'acme', capabilities: [], endpoints: [] },
    });
  });

  test('of a realtime model tells neither category nor endpoints', () => {
    const state = { facts: { ...realtime, endpoints: known.endpoints }, probe: undefined };
    expect(allowlistRow({ id: 'gpt-4o', owner: 'system', state }, null, false)).toMatchObject({
      ...{ category: null, endpoints: [], availability: 'unclassified', provider: 'openai' },
    });
  });

  test.each([
    [false, 'allowlist_only'],
    [true, 'allowlist_unverified'],
  ])('of a model in no catalog, which is away or not: %s, is %s', (unconfirmed, availability) => {
    const state = { facts: CUSTOM, probe: undefined };
    const row = allowlistRow({ id: 'm', owner: null, state }, policy, unconfirmed);
    expect(row).toMatchObject({ availability, provider: null });
  });

  test('may be asked for by each availability that it can show, and by each category but realtime', () => {
    expect(ALLOWLIST_AVAILABILITIES).toEqual([
      ...[
        'callable',
        'listed_unavailable',
        'registry_broken',
        'unclassified',
        'allowlist_only',
        'allowlist_unverified',
      ],
    ]);
    expect(LISTED_CATEGORIES).toEqual(['chat', 'embedding', 'image', 'tts', 'transcription', 'ocr']);
  });

  test('is found by any part of its id in any case, and by each of the others, all of them together', () => {
    const row = allowlistRow({ id: 'GPT-4o', owner: 'system', state: asked }, policy, false);
    const finds = (filter: Parameters<typeof matchesFilter>[1]) => matchesFilter(row, filter);
    for (const filter of [
      ...[{}, { search: 'pt-4O' }, { enabled: false }, { availability: 'callable' }, { category: 'chat' }],
      { search: 'gpt', enabled: false, availability: 'callable', category: 'chat' },
    ] as const) {
      expect([filter, finds(filter)]).toEqual([filter, true]);
    }
    const right = { search: 'gpt', enabled: false, availability: 'callable', category: 'chat' } as const;
    for (const wrong of [
      ...[{ search: 'x' }, { enabled: true }, { availability: 'unclassified' }, { category: 'tts' }],
    ] as const) {
      expect([wrong, finds(wrong), finds({ ...right, ...wrong })]).toEqual([wrong, false, false]);
    }
  });
});

describe('a route that a model does not fit', () => {
  const CHAT = '/v1/chat/completions';
  const fitting = (given: Partial<ModelFacts>) => endpointMismatch({ ...known, ...given }, CHAT);

  test('is told by its kind, by the route, or by where the model goes', () => {
    const endpoints = ['/v1/completions'] as const;
    expect(fitting({ endpoints, legacyBase: true })).toBe('this is a legacy base model, use POST /v1/completions.');
    expect(fitting({ endpoints, category: 'tts' })).toBe('this is a text-to-speech model, use POST /v1/audio/speech.');
    expect(fitting({ endpoints })).toBe('use POST /v1/completions.');
    expect(fitting({ endpoints, category: null })).toBe('use POST /v1/completions.');
    expect(fitting({})).toBeNull();
  });
});
