import type { GatewayRouteSpec } from '../../routes/route-spec.js';
import { ROUTE_ESTIMATES, type MeteredEstimate, type RouteEstimate } from './route-estimates.data.js';

/** Null if a request of the route uses nothing. */
export function estimateOf({ endpoint, usage }: GatewayRouteSpec, method: string): RouteEstimate | null {
  if (method !== 'POST') return null;
  return ROUTE_ESTIMATES.get(endpoint) ?? (usage === null ? null : 'text');
}

const UNMETERED: ReadonlySet<RouteEstimate> = new Set<RouteEstimate>(['unmetered', 'unmetered cost', 'unmetered fee']);

export const isMeteredRoute = (kind: RouteEstimate): kind is MeteredEstimate => !UNMETERED.has(kind);

/** Whether the provider chooses a model if the request names none. */
export function runsModel(route: GatewayRouteSpec, method: string): boolean {
  const kind = estimateOf(route, method);
  return kind !== null && kind !== 'unmetered fee';
}
