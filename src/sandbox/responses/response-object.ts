import type { OutputItem, ResponseAnswer } from './response-answer.js';

/** The answer as one `response` object. */
export function responseObject(answer: ResponseAnswer): object {
  const outputTokens = answer.item.pieces.length;

  return {
    ...headOf(answer),
    status: answer.cut ? 'incomplete' : 'completed',
    completed_at: answer.cut ? null : answer.createdAt,
    incomplete_details: answer.cut ? { reason: 'max_output_tokens' } : null,
    output: [itemObject(answer.item, answer.cut ? 'incomplete' : 'completed')],
    usage: {
      input_tokens: answer.inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: answer.inputTokens + outputTokens,
    },
  };
}

/** The same as its stream begins with it: nothing said and nothing counted yet. */
export function startedObject(answer: ResponseAnswer): object {
  return {
    ...headOf(answer),
    status: 'in_progress',
    completed_at: null,
    incomplete_details: null,
    output: [],
    usage: null,
  };
}

/** @param text overrides the item's whole text, for the moments before it is whole */
export function itemObject(item: OutputItem, status: string, text = item.pieces.join('')): object {
  if (item.type === 'function_call') {
    return { id: item.id, type: 'function_call', status, arguments: text, call_id: item.callId, name: item.name };
  }

  const content = status === 'in_progress' ? [] : [textPart(text)];

  return { id: item.id, type: 'message', status, role: 'assistant', content };
}

export function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function headOf({ id, createdAt, model, echoed }: ResponseAnswer): object {
  return { id, object: 'response', created_at: createdAt, model, background: false, error: null, ...echoed };
}
