import { describe, expect, test } from 'vitest';
import { availabilityOf, isRoutable, type ModelState } from '../../src/model-policy/availability.rules.js';
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
  test.each<[string, Partial<ModelState>, boolean]>([
    ['known and listed', {}, true],
    ['unknown and listed', { facts: CUSTOM }, true],
    ['known and not listed', { listed: false }, false],
    ['allowed and not listed', { listed: false, enabled: true }, false],
    ['blocked', { enabled: false }, false],
    ['unknown and blocked', { facts: CUSTOM, enabled: false }, false],
    ['broken', { facts: BROKEN }, false],
    ['broken and allowed', { facts: BROKEN, enabled: true }, true],
    ['broken and blocked', { facts: BROKEN, enabled: false }, false],
    ['unavailable by its probe', { probe: 'listed_unavailable' }, false],
    ['unavailable by its probe and allowed', { probe: 'listed_unavailable', enabled: true }, false],
    ['broken, unavailable and allowed', { facts: BROKEN, probe: 'listed_unavailable', enabled: true }, false],
    ['known, no catalog', { listed: null }, true],
    ['unknown, no catalog', { listed: null, facts: CUSTOM }, false],
    ['unknown, no catalog, allowed', { listed: null, facts: CUSTOM, enabled: true }, true],
    ['known, no catalog, blocked', { listed: null, enabled: false }, false],
    ['broken, no catalog', { listed: null, facts: BROKEN }, false],
    ['broken, no catalog, allowed', { listed: null, facts: BROKEN, enabled: true }, true],
  ])('a model that is %s', (_what, given, expected) => {
    expect(isRoutable(state(given))).toBe(expected);
  });
});
