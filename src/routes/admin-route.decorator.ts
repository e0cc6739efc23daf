import { declareRoute, type AdminRouteSpec } from './route-spec.js';

/** Puts a handler behind the admin guard. */
export const AdminRoute =
  (given: Omit<AdminRouteSpec, 'kind'>): MethodDecorator =>
  (_target, _name, descriptor) =>
    declareRoute(descriptor.value as object, { kind: 'admin', ...given });
