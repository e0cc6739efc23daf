import { DONE_EVENT, namedEvent } from '../wire/event-stream.js';
import type { OutputItem, ResponseAnswer } from './response-answer.js';
import { itemObject, responseObject, startedObject, textPart } from './response-object.js';

/** The answer as named events, numbered in their order, from `response.created` to `response.completed` and `[DONE]`. */
export function* responseEvents(answer: ResponseAnswer): Generator<string> {
  let sequence = 0;

  for (const [type, members] of eventsOf(answer)) {
    yield namedEvent(type, { type, ...members, sequence_number: sequence });
    sequence += 1;
  }
  yield DONE_EVENT;
}

type NamedMembers = readonly [type: string, members: object];

function* eventsOf(answer: ResponseAnswer): Generator<NamedMembers> {
  const { item, cut } = answer;

  yield ['response.created', { response: startedObject(answer) }];
  yield ['response.in_progress', { response: startedObject(answer) }];
  yield ['response.output_item.added', { output_index: 0, item: itemObject(item, 'in_progress', '') }];
  yield* item.type === 'message' ? textEvents(item) : callEvents(item);
  yield ['response.output_item.done', { output_index: 0, item: itemObject(item, cut ? 'incomplete' : 'completed') }];
  yield [cut ? 'response.incomplete' : 'response.completed', { response: responseObject(answer) }];
}

function* textEvents({ id, pieces }: OutputItem): Generator<NamedMembers> {
  const at = { item_id: id, output_index: 0, content_index: 0 };
  const text = pieces.join('');

  yield ['response.content_part.added', { ...at, part: textPart('') }];
  for (const delta of pieces) yield ['response.output_text.delta', { ...at, delta, logprobs: [] }];
  yield ['response.output_text.done', { ...at, text, logprobs: [] }];
  yield ['response.content_part.done', { ...at, part: textPart(text) }];
}

function* callEvents(item: Extract<OutputItem, { type: 'function_call' }>): Generator<NamedMembers> {
  const at = { item_id: item.id, output_index: 0 };

  for (const delta of item.pieces) yield ['response.function_call_arguments.delta', { ...at, delta }];
  yield ['response.function_call_arguments.done', { ...at, name: item.name, arguments: item.pieces.join('') }];
}
