import type { JsonObject } from '../wire/json-object.js';
import type { ResponsesResponse } from './responses-response.js';

export function responseObject(response: ResponsesResponse): JsonObject {
  return {
    ...headOf(response),
    status: response.cut ? 'incomplete' : 'completed',
    completed_at: response.cut ? null : response.createdAt,
    incomplete_details: response.cut ? { reason: 'max_output_tokens' } : null,
    output: response.items.map(({ done }) => done),
    usage: response.usage,
  };
}

export function startedObject(response: ResponsesResponse, status: 'queued' | 'in_progress' | 'cancelled'): JsonObject {
  return {
    ...headOf(response),
    status,
    completed_at: null,
    incomplete_details: null,
    output: [],
    usage: null,
  };
}

function headOf({ id, createdAt, model, echoed }: ResponsesResponse): JsonObject {
  return { id, object: 'response', created_at: createdAt, model, error: null, ...echoed };
}
