import type { JsonObject } from '../wire/json-object.js';
import type { ResponseAnswer } from './response-answer.js';

export function responseObject(answer: ResponseAnswer): JsonObject {
  return {
    ...headOf(answer),
    status: answer.cut ? 'incomplete' : 'completed',
    completed_at: answer.cut ? null : answer.createdAt,
    incomplete_details: answer.cut ? { reason: 'max_output_tokens' } : null,
    output: answer.items.map(({ done }) => done),
    usage: answer.usage,
  };
}

export function startedObject(answer: ResponseAnswer, status: 'queued' | 'in_progress' | 'cancelled'): JsonObject {
  return {
    ...headOf(answer),
    status,
    completed_at: null,
    incomplete_details: null,
    output: [],
    usage: null,
  };
}

function headOf({ id, createdAt, model, echoed }: ResponseAnswer): JsonObject {
  return { id, object: 'response', created_at: createdAt, model, error: null, ...echoed };
}
