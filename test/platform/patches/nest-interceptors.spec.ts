import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import { expect, test } from '@jest/globals';
import { isObservable } from 'rxjs';
import { useSynchronousInterceptors } from '../../../src/platform/patches/nest-interceptors.js';

type Call = Parameters<InterceptorsConsumer['intercept']>;

const calls: unknown[] = [];
const interceptor = {
  prepare: (request: unknown) => calls.push(request),
  intercept: (_: unknown, next: { handle: () => unknown }) => next.handle(),
};
const handler = () => Promise.resolve('handled');

const intercept = (...interceptors: object[]): Promise<unknown> =>
  new InterceptorsConsumer().intercept(
    ...([interceptors, ['request'], {}, handler, handler, 'http'] as unknown as Call),
  );

// The order matters, because the patch stays for the whole process.
test('is still needed: Nest returns an Observable for any interceptor', async () => {
  const { intercept: original } = InterceptorsConsumer.prototype;
  if (original.name === 'intercept') expect(isObservable(await intercept(interceptor))).toBe(true);
  expect(original.length === 6 || original.name === 'callDirectly').toBe(true);
});

test('a single interceptor with `prepare` is called directly, and all others by Nest', async () => {
  expect(useSynchronousInterceptors()).toBe(true);
  expect(await intercept(interceptor)).toBe('handled');
  expect(calls).toEqual(['request']);
  expect(isObservable(await intercept({ intercept: interceptor.intercept }))).toBe(true);
  expect(isObservable(await intercept(interceptor, interceptor))).toBe(true);
});
