import { CATEGORY_HINTS, LEGACY_BASE_HINT } from './gate-hints.data.js';
import { ENDPOINTS, MODEL_ENDPOINTS, type ModelEndpoint } from './registry/endpoints.data.js';
import type { ModelFacts } from './registry/model-facts.js';

/** The path by which a route's models are judged: its own, or chat for a body that is passed through (D9). */
export function judgedEndpoint(endpoint: string): ModelEndpoint {
  return MODEL_ENDPOINTS.find((own) => own === endpoint) ?? '/v1/chat/completions';
}

/**
 * Why a model does not fit a route, as the end of a message; null: it fits.
 * @param facts null: a custom model, which fits every route but /v1/responses (D31)
 */
export function endpointMismatch(facts: ModelFacts | null, endpoint: ModelEndpoint): string | null {
  if (facts === null || facts.endpoints === null) return endpoint === '/v1/responses' ? hintOfRoute(endpoint) : null;
  if (facts.endpoints.includes(endpoint)) return null;
  if (facts.legacyBase) return LEGACY_BASE_HINT;
  if (facts.category !== null && facts.category !== 'chat') return CATEGORY_HINTS[facts.category];
  const [fitting] = facts.endpoints;
  return hintOfRoute(endpoint) ?? (fitting === undefined ? 'no route takes it.' : `use POST ${fitting}.`);
}

function hintOfRoute(endpoint: ModelEndpoint): string | null {
  return ENDPOINTS[endpoint].hint ?? null;
}
