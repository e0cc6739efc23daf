import { Logger } from '@nestjs/common';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';

type Intercept = InterceptorsConsumer['intercept'];

interface Synchronous {
  prepare(request: unknown): void;
}

/**
 * Calls a route's only interceptor directly where it has a synchronous `prepare(request)`. For any interceptor Nest 12
 * builds a ReplaySubject, two AsyncResources and five operators a request: a quarter of the throughput (docs/adr/0003).
 * It replaces an internal of @nestjs/core; where that internal does not look as expected, Nest's own way stays.
 * @returns whether the short way is in use
 */
export function useSynchronousInterceptors(): boolean {
  const { prototype } = InterceptorsConsumer;
  const original = prototype.intercept as Intercept | undefined;
  // A second application in the same process finds it in place.
  if (original?.name === shortWay.name) return true;
  if (typeof original !== 'function' || original.length !== 6) {
    new Logger('Pipeline').warn('This version of @nestjs/core calls interceptors in another way: requests take longer');
    return false;
  }
  prototype.intercept = shortWay;
  return true;

  async function shortWay(this: InterceptorsConsumer, ...call: Parameters<Intercept>): Promise<ReturnType<Intercept>> {
    const [interceptors, args, , , next] = call;
    const only = interceptors.length === 1 ? (interceptors[0] as Partial<Synchronous>) : undefined;
    if (only?.prepare === undefined) return original!.apply(this, call);
    only.prepare(args[0]);
    return next();
  }
}
