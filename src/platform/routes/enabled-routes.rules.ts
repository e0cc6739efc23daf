import type { RouteSpec, RouteSwitch } from './route-spec.js';

interface RouteSettings {
  readonly routes: 'specified' | 'all';
  readonly unbilledRoutes: readonly Exclude<RouteSwitch, 'all'>[] | null;
}

/** A disabled route is rejected like an unknown one. */
export function isEnabled(spec: RouteSpec | undefined, { routes, unbilledRoutes }: RouteSettings): boolean {
  if (spec?.kind !== 'gateway' || spec.enabledBy === undefined) return true;
  if (routes !== 'all') return false;
  return spec.enabledBy === 'all' || unbilledRoutes?.includes(spec.enabledBy) === true;
}

/** The setting that enables the routes of a switch, for messages. */
export const settingOf = (enabledBy: RouteSwitch): string =>
  enabledBy === 'all' ? 'GW_ROUTES=all' : `GW_ROUTES=all and ${enabledBy} in GW_UNBILLED_ROUTES`;
