import { Logger } from '@nestjs/common';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';

type Intercept = InterceptorsConsumer['intercept'];

interface Synchronous {
  prepare(request: unknown): void;
}

/**
 * Calls the only interceptor of a route directly if it has a synchronous `prepare(request)`. It replaces an internal of
 * @nestjs/core, unless that internal has an unexpected shape.
 *
 * - Symptom: for any interceptor, Nest 12 creates a ReplaySubject, two AsyncResources and five operators per request.
 * - Issue: not reported. The cost came with https://github.com/nestjs/nest/pull/11142 and
 *   https://github.com/nestjs/nest/pull/11926.
 * - Benefit: a call takes 1 µs instead of 11 µs, which was a quarter of the throughput (docs/adr/0003)
 * - Version test: `nest-interceptors.spec.ts`
 * @returns whether interceptors are called directly
 */
export function useSynchronousInterceptors(): boolean {
  const { prototype } = InterceptorsConsumer;
  const original = prototype.intercept as Intercept | undefined;
  // Another application in this process has already replaced it.
  if (original?.name === callDirectly.name) return true;
  if (typeof original !== 'function' || original.length !== 6) {
    new Logger('Pipeline').warn(
      'This version of @nestjs/core calls interceptors differently, so requests are slower. See ADR 0003.',
    );
    return false;
  }
  prototype.intercept = callDirectly;
  return true;

  async function callDirectly(
    this: InterceptorsConsumer,
    ...call: Parameters<Intercept>
  ): Promise<ReturnType<Intercept>> {
    const [interceptors, args, , , next] = call;
    const only = interceptors.length === 1 ? (interceptors[0] as Partial<Synchronous>) : undefined;
    if (only?.prepare === undefined) return original!.apply(this, call);
    only.prepare(args[0]);
    return next();
  }
}
