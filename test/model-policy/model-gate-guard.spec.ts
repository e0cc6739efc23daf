import { afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { ModelGateGuard } from '../../src/proxy/pipeline/key-dependent.guards.js';
import type { RequestContext } from '../../src/platform/request-context/request-context.js';
import type { RefusalRecheck } from '../../src/proxy/pipeline/refusal-recheck.service.js';
import { World, contextFor, routeFor } from './fakes.js';

const CHAT = '/v1/chat/completions';
const confirm = jest.fn<RefusalRecheck['confirm']>();

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
  new ModelGateGuard(world.gate, { confirm } as Partial<RefusalRecheck> as RefusalRecheck).canActivate(
    new ExecutionContextHost([{ ctx }]),
  );

test('lets a valid request pass synchronously and writes its model to the context', async () => {
  world = await World.serving(['gpt-4o']);
  const ctx = contextFor(CHAT, { model: 'gpt-4o' });
  expect(pass(ctx)).toBe(true);
  expect(ctx.model).toBe('gpt-4o');
});

test('the confirmation of a rejection decides whether the request passes', async () => {
  world = await World.serving(['gpt-4o']);
  const ctx = contextFor(CHAT, { model: 'nope' });
  await expect(pass(ctx)).rejects.toMatchObject({ code: 'model_not_available' });
  expect(ctx.model).toBe('nope');
  confirm.mockResolvedValueOnce(true);
  await expect(pass(ctx)).resolves.toBe(true);
});

test('does not check requests on routes without a model', async () => {
  world = await World.serving(['gpt-4o']);
  const ctx = contextFor(CHAT, { model: 'nope' });
  for (const route of [null, { ...routeFor('/v1/models'), model: 'none' as const }]) {
    ctx.route = route;
    expect(pass(ctx)).toBe(true);
  }
  expect(ctx.model).toBeNull();
});

test('a request waits for the first copy of the model catalog', async () => {
  world = new World();
  const response = Promise.withResolvers<{ status: number; headers: Record<string, string>; body: Buffer }>();
  world.upstream.respond = () => response.promise;
  world.start();
  const passed = pass(contextFor(CHAT, { model: 'acme-custom-1' }));
  response.resolve({ status: 200, headers: {}, body: Buffer.from('{"data": [{"id": "acme-custom-1"}]}') });
  await expect(passed).resolves.toBe(true);
});

test('requests wait up to 2 s for a hanging upstream, after which only registry models are routed', async () => {
  jest.useFakeTimers();
  world = new World();
  world.upstream.respond = () => new Promise(() => undefined);
  world.start();
  const known = pass(contextFor(CHAT, { model: 'gpt-4o' }));
  const custom = expect(pass(contextFor(CHAT, { model: 'acme-custom-1' }))).rejects.toMatchObject({
    code: 'model_not_available',
  });
  await jest.advanceTimersByTimeAsync(2_000);
  await expect(known).resolves.toBe(true);
  await custom;
});

test('requests do not wait if the upstream refuses connections', async () => {
  world = new World();
  world.start();
  await world.gate.whenReady();
  expect(world.gate.ready).toBe(true);
  expect(pass(contextFor(CHAT, { model: 'gpt-4o' }))).toBe(true);
});

test('rejects requests with service_unavailable until the model policy has been read', async () => {
  jest.useFakeTimers();
  world = new World();
  world.upstream.lists('gpt-4o');
  world.policyStore.unavailable = true;
  world.start();
  const refused = expect(pass(contextFor(CHAT, { model: 'gpt-4o' }))).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  await jest.advanceTimersByTimeAsync(2_000);
  await refused;
  world.policyStore.unavailable = false;
  await jest.advanceTimersByTimeAsync(500);
  expect(pass(contextFor(CHAT, { model: 'gpt-4o' }))).toBe(true);
});
