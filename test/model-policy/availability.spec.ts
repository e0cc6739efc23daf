import { describe, expect, test } from '@jest/globals';
import {
  ALLOWLIST_AVAILABILITIES,
  availabilityOf,
  obstacleOf,
  type ModelState,
} from '../../src/model-policy/availability.rules.js';
import type { ModelObstacle } from '../../src/platform/errors/error-factories.js';
import { allowlistRow, matchesFilter } from '../../src/model-policy/model-allowlist.service.js';
import { endpointMismatch } from '../../src/model-policy/model-gate.rules.js';
import { LISTED_CATEGORIES } from '../../src/model-policy/registry/endpoints.data.js';
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

describe('availabilityOf', () => {
  test.each<[string, Pick<ModelState, 'facts' | 'probe'>, Availability]>([
    ['known', { facts: known, probe: undefined }, 'callable'],
    ['unknown', { facts: CUSTOM, probe: undefined }, 'unclassified'],
    ['marked broken', { facts: BROKEN, probe: undefined }, 'registry_broken'],
    ['unknown and probed successfully', { facts: CUSTOM, probe: 'callable' }, 'callable'],
    ['known but failed its probe', { facts: known, probe: 'listed_unavailable' }, 'listed_unavailable'],
    ['marked broken but probed successfully', { facts: BROKEN, probe: 'callable' }, 'registry_broken'],
    ['marked broken and failed its probe', { facts: BROKEN, probe: 'listed_unavailable' }, 'listed_unavailable'],
  ])('derives the availability of a model that is %s', (_what, given, expected) => {
    expect(availabilityOf(given)).toBe(expected);
  });
});

describe('obstacleOf (D12)', () => {
  test.each<[string, Partial<ModelState>, ModelObstacle | null]>([
    ['known and listed', {}, null],
    ['unknown and listed', { facts: CUSTOM }, null],
    ['known and not listed', { listed: false }, 'not_listed'],
    ['allowed and not listed', { listed: false, enabled: true }, 'not_listed'],
    ['blocked', { enabled: false }, 'blocked'],
    ['unknown and blocked', { facts: CUSTOM, enabled: false }, 'blocked'],
    ['marked broken', { facts: BROKEN }, 'broken'],
    ['marked broken and allowed', { facts: BROKEN, enabled: true }, null],
    ['marked broken and blocked', { facts: BROKEN, enabled: false }, 'blocked'],
    ['unavailable according to its probe', { probe: 'listed_unavailable' }, 'not_answering'],
    [
      'unavailable according to its probe, but allowed',
      { probe: 'listed_unavailable', enabled: true },
      'not_answering',
    ],
    [
      'marked broken, unavailable and allowed',
      { facts: BROKEN, probe: 'listed_unavailable', enabled: true },
      'not_answering',
    ],
    ['known without a catalog', { listed: null }, null],
    ['unknown without a catalog', { listed: null, facts: CUSTOM }, 'not_confirmed'],
    ['unknown and allowed without a catalog', { listed: null, facts: CUSTOM, enabled: true }, null],
    ['known and blocked without a catalog', { listed: null, enabled: false }, 'blocked'],
    ['marked broken without a catalog', { listed: null, facts: BROKEN }, 'broken'],
    ['marked broken and allowed without a catalog', { listed: null, facts: BROKEN, enabled: true }, null],
  ])('decides whether to route a model that is %s', (_what, given, expected) => {
    expect(obstacleOf(state(given))).toBe(expected);
  });
});

describe('model allowlist rows', () => {
  type Shown = Parameters<typeof allowlistRow>[0];
  const rowOf = (
    { id, owner, state }: Pick<Shown, 'id' | 'owner'> & Pick<Shown['served'], 'state'>,
    given: Parameters<typeof allowlistRow>[1],
    unconfirmed: boolean,
  ) => {
    const served = { state, shownAs: id, upstreams: null };
    return allowlistRow({ id, owner, isListed: owner !== null, served }, given, unconfirmed);
  };
  const updatedAt = new Date(7);
  const policy = { model: 'gpt-4o', enabled: false, note: 'why', updatedAt, updatedBy: 'someone' };
  const NO_POLICY = { enabled: null, note: null, updatedAt: null, updatedBy: null };
  const knownState = { facts: known, probe: undefined } as const;
  const realtime: ModelFacts = { ...known, category: 'realtime', endpoints: [] };

  test('the row of a listed model combines registry, catalog and policy', () => {
    const row = rowOf({ id: 'gpt-4o', owner: 'system', state: knownState }, policy, false);
    expect(row).toEqual({
      ...policy,
      availability: 'callable',
      category: 'chat',
      provider: 'openai',
      capabilities: ['vision', 'tool_use', 'json_mode'],
      endpoints: known.endpoints,
      upstreams: null,
    });
  });

  test('the row of a custom model without a policy contains only the owner and the availability', () => {
    expect(rowOf({ id: 'm', owner: 'acme', state: { facts: CUSTOM, probe: undefined } }, null, true)).toEqual({
      model: 'm',
      ...NO_POLICY,
      availability: 'unclassified',
      category: null,
      provider: 'acme',
      capabilities: [],
      endpoints: [],
      upstreams: null,
    });
  });

  test('the row of a realtime model has neither a category nor endpoints', () => {
    const state = { facts: { ...realtime, endpoints: known.endpoints }, probe: undefined };
    expect(rowOf({ id: 'gpt-4o', owner: 'system', state }, null, false)).toMatchObject({
      category: null,
      endpoints: [],
      availability: 'unclassified',
      provider: 'openai',
    });
  });

  test.each([
    [false, 'allowlist_only'],
    [true, 'allowlist_unverified'],
  ])('an unlisted model (catalog unconfirmed: %s) has the availability %s', (unconfirmed, availability) => {
    const state = { facts: CUSTOM, probe: undefined };
    const row = rowOf({ id: 'm', owner: null, state }, policy, unconfirmed);
    expect(row).toMatchObject({ availability, provider: null });
  });

  test('rows can be filtered by every availability, and by every category except realtime', () => {
    expect(ALLOWLIST_AVAILABILITIES).toEqual([
      'callable',
      'listed_unavailable',
      'registry_broken',
      'unclassified',
      'allowlist_only',
      'allowlist_unverified',
    ]);
    expect(LISTED_CATEGORIES).toEqual(['chat', 'embedding', 'image', 'tts', 'transcription', 'ocr']);
  });

  test('a row matches a filter only if all its conditions hold, and a search ignores case', () => {
    const row = rowOf({ id: 'GPT-4o', owner: 'system', state: knownState }, policy, false);
    const finds = (filter: Parameters<typeof matchesFilter>[1]) => matchesFilter(row, filter);
    for (const filter of [
      {},
      { search: 'pt-4O' },
      { enabled: false },
      { availability: 'callable' },
      { category: 'chat' },
      { search: 'gpt', enabled: false, availability: 'callable', category: 'chat' },
    ] as const) {
      expect([filter, finds(filter)]).toEqual([filter, true]);
    }
    const matching = { search: 'gpt', enabled: false, availability: 'callable', category: 'chat' } as const;
    for (const other of [
      { search: 'x' },
      { enabled: true },
      { availability: 'unclassified' },
      { category: 'tts' },
    ] as const) {
      expect([other, finds(other), finds({ ...matching, ...other })]).toEqual([other, false, false]);
    }
  });
});

describe('endpointMismatch', () => {
  const CHAT = '/v1/chat/completions';
  const mismatchOf = (given: Partial<ModelFacts>) => endpointMismatch({ ...known, ...given }, CHAT);

  test('the hint names the kind of model and its own routes', () => {
    const endpoints = ['/v1/completions'] as const;
    expect(mismatchOf({ endpoints, legacyBase: true })).toBe('this is a legacy base model, use POST /v1/completions.');
    expect(mismatchOf({ endpoints, category: 'tts' })).toBe(
      'this is a text-to-speech model, use POST /v1/audio/speech.',
    );
    expect(mismatchOf({ endpoints })).toBe('use POST /v1/completions.');
    expect(mismatchOf({ endpoints, category: null })).toBe('use POST /v1/completions.');
    expect(mismatchOf({})).toBeNull();
  });
});
