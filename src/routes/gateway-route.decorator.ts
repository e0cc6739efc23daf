import { declareRoute, type GatewayRouteSpec } from './route-spec.js';

export const BODY_BYTES_MAX = 10 * 1024 * 1024;

type Given = Pick<GatewayRouteSpec, 'endpoint'> & Partial<Omit<GatewayRouteSpec, 'kind' | 'endpoint'>>;

/** Puts a handler behind the stages of D1. What is left out: no body, 10 MiB, no model, counted, no usage, the usual upstream. */
export const GatewayRoute =
  (given: Given): MethodDecorator =>
  (_target, _name, descriptor) =>
    declareRoute(descriptor.value as object, {
      kind: 'gateway',
      body: 'none',
      bodyBytesMax: BODY_BYTES_MAX,
      model: 'none',
      quota: 'counted',
      usage: null,
      upstream: 'default',
      ...given,
    });
