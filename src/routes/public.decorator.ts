import { declareRoute } from './route-spec.js';

/** Leaves a handler open to everybody. The route table test holds the list of these. */
export const Public = (): MethodDecorator => (_target, _name, descriptor) =>
  declareRoute(descriptor.value as object, { kind: 'public' });
