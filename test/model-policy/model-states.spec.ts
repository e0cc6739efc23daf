import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { World } from './fakes.js';

let world: World;
beforeAll(() => Logger.overrideLogger(false));
beforeEach(async () => {
  world = await World.serving(['gpt-4o']);
});
afterEach(() => world.stop());

test('a change of the policy replaces the cached state of a model immediately', async () => {
  expect(world.states.of('gpt-4o').enabled).toBeUndefined();
  world.policyStore.rows.set('gpt-4o', false);
  await world.policy.refresh();
  expect(world.states.of('gpt-4o').enabled).toBe(false);
});

test('a new probe verdict replaces the cached state of a model immediately', async () => {
  expect(world.states.of('gpt-4o').probe).toBeUndefined();
  world.probeStore.verdicts.set('gpt-4o', { verdict: 'callable' } as never);
  await world.verdicts.refresh();
  expect(world.states.of('gpt-4o').probe).toBe('callable');
});

test('a new model list replaces the cached state of a model immediately', async () => {
  expect(world.states.of('gpt-4.1').listed).toBe(false);
  world.upstream.lists('gpt-4.1');
  await world.catalog.refresh();
  expect(world.states.of('gpt-4.1').listed).toBe(true);
  expect(world.states.of('gpt-4o').listed).toBe(false);
});

test('a state is computed once until something changes, except for IDs that are too long to cache', () => {
  expect(world.states.of('gpt-4o')).toBe(world.states.of('gpt-4o'));
  const long = 'x'.repeat(321);
  expect(world.states.of(long)).not.toBe(world.states.of(long));
  expect(world.states.of(long)).toEqual(world.states.of(long));
});
