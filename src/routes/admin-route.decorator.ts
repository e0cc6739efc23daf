import { declareRoute, type AdminRouteSpec } from './route-spec.js';

/** Puts a handler behind the admin guard. */
export const AdminRoute =
  ({ role }: Pick<AdminRouteSpec, 'role'>): MethodDecorator =>
  (_target, _name, descriptor) =>
    declareRoute(descriptor.value as object, { kind: 'admin', role });
