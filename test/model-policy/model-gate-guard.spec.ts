import { afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { ModelGateGuard } from '../../src/model-policy/model-gate.guard.js';
import { RefusalConfirmation } from '../../src/request-context/refusal-confirmation.js';
import type { RequestContext } from '../../src/request-context/request-context.js';
import { World, contextFor, routeFor } from './fakes.js';

const CHAT = '/v1/chat/completions';
const confirm = jest.fn<RefusalConfirmation['confirm']>();
class Refusals extends RefusalConfirmation {
  override confirm(...given: Parameters<RefusalConfirmation['confirm']>): Promise<true> {
    return confirm(...given);
  }
}

let world: World;
beforeAll(() => {
  Logger.overrideLogger(false);
});
beforeEach(() => void confirm.mockReset().mockImplementation((_ctx, refusal) => Promise.reject(refusal)));
afterEach(() => {
  world.stop();
  jest.useRealTimers();
});

const pass = (ctx: RequestContext) =>
  new ModelGateGuard(world.gate, new Refusals()).canActivate(new ExecutionContextHost([{ ctx }]));

test('a request that passes is let through synchronously, its model left in the context', async () => {
  world = await World.serving(['gpt-4o']);
  const ctx = contextFor(CHAT, { model: 'gpt-4o' });
  expect(pass(ctx)).toBe(true);
  expect(ctx.model).toBe('gpt-4o');
});

test('a refusal is handed in to be confirmed, and is what the confirmation makes of it', async () => {
  world = await World.serving(['gpt-4o']);
  const ctx = contextFor(CHAT, { model: 'nope' });
  await expect(pass(ctx)).rejects.toMatchObject({ code: 'model_not_available' });
  expect(ctx.model).toBe('nope');
  confirm.mockResolvedValueOnce(true);
  await expect(pass(ctx)).resolves.toBe(true);
});

test('a route that takes no model, or is none of /v1, is let through unjudged', async () => {
  world = await World.serving(['gpt-4o']);
  const ctx = contextFor(CHAT, { model: 'nope' });
  for (const route of [null, { ...routeFor('/v1/models'), model: 'none' as const }]) {
    ctx.route = route;
    expect(pass(ctx)).toBe(true);
  }
  expect(ctx.model).toBeNull();
});

test('before the first copy of the list a request waits for it', async () => {
  world = new World();
  const answer = Promise.withResolvers<{ status: number; headers: Record<string, string>; body: Buffer }>();
  world.upstream.answer = () => answer.promise;
  world.start();
  const passed = pass(contextFor(CHAT, { model: 'acme-custom-1' }));
  answer.resolve({ status: 200, headers: {}, body: Buffer.from('{"data": [{"id": "acme-custom-1"}]}') });
  await expect(passed).resolves.toBe(true);
});

test('an upstream that hangs at the start holds requests for 2 s, then what the registry knows is routed', async () => {
  jest.useFakeTimers();
  world = new World();
  world.upstream.answer = () => new Promise(() => undefined);
  world.start();
  const known = pass(contextFor(CHAT, { model: 'gpt-4o' }));
  const custom = expect(pass(contextFor(CHAT, { model: 'acme-custom-1' }))).rejects.toMatchObject({
    code: 'model_not_available',
  });
  await jest.advanceTimersByTimeAsync(2_000);
  await expect(known).resolves.toBe(true);
  await custom;
});

test('with an upstream that refuses nobody waits', async () => {
  world = new World();
  world.start();
  await world.gate.whenReady();
  expect(world.gate.ready).toBe(true);
  expect(pass(contextFor(CHAT, { model: 'gpt-4o' }))).toBe(true);
});

test('while the policy has never been read nothing is let through, and it is found when it can be', async () => {
  jest.useFakeTimers();
  world = new World();
  world.upstream.lists('gpt-4o');
  world.policyStore.away = true;
  world.start();
  const refused = expect(pass(contextFor(CHAT, { model: 'gpt-4o' }))).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  await jest.advanceTimersByTimeAsync(2_000);
  await refused;
  world.policyStore.away = false;
  await jest.advanceTimersByTimeAsync(500);
  expect(pass(contextFor(CHAT, { model: 'gpt-4o' }))).toBe(true);
});
