import type { GatewayRouteSpec } from '../../../platform/routes/route-spec.js';
import { isObject, type JsonObject } from '../../../platform/validation/check.js';
import {
  CLIENT_SECRETS,
  ROUTE_ESTIMATES,
  STORED_MODELS,
  type MeteredEstimate,
  type RouteEstimate,
} from './route-estimates.data.js';

/** Null if a request of the route uses nothing. */
export function estimateOf({ endpoint, usage }: GatewayRouteSpec, method: string): RouteEstimate | null {
  if (method !== 'POST') return null;
  return ROUTE_ESTIMATES.get(endpoint) ?? (usage === null ? null : 'text');
}

const UNMETERED: ReadonlySet<RouteEstimate> = new Set<RouteEstimate>(['unmetered', 'unmetered cost', 'unmetered fee']);

export const isMeteredRoute = (kind: RouteEstimate): kind is MeteredEstimate => !UNMETERED.has(kind);

/**
 * Whether the provider chooses the main model of a route that runs one. Other models in the body, such as those of tools, then do not
 * show which models the request can use.
 *
 * @param model the main model, if the request names it
 */
export function leavesModelOpen(
  { endpoint, model: gate }: GatewayRouteSpec,
  model: string | null,
  json: JsonObject | null,
): boolean {
  if (STORED_MODELS.has(endpoint)) return true;
  // `if-any`: the route runs no main model. Each part of the body, such as a grader, names its own model.
  if (model !== null || gate === 'if-any') return false;
  return !(endpoint === CLIENT_SECRETS && isTranscription(json?.['session']));
}

const isTranscription = (session: unknown): boolean => isObject(session) && session['type'] === 'transcription';

/** Whether requests of the route run a model. If they name none, the provider chooses it. Routes with an `unmetered fee` run no model. */
export function runsModel(route: GatewayRouteSpec, method: string): boolean {
  const kind = estimateOf(route, method);
  return kind !== null && kind !== 'unmetered fee';
}
