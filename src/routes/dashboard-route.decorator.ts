import { declareRoute, type DashboardRouteSpec } from './route-spec.js';

/** Puts a handler behind the dashboard guard. */
export const DashboardRoute =
  (given: Omit<DashboardRouteSpec, 'kind'>): MethodDecorator =>
  (_target, _name, descriptor) =>
    declareRoute(descriptor.value as object, { kind: 'dashboard', ...given });
