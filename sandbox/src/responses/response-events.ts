import { DONE_EVENT, namedEvent } from '../wire/event-stream.js';
import type { NamedFields } from './output-item.js';
import type { ResponseAnswer } from './response-answer.js';
import { responseObject, startedObject } from './response-object.js';

/**
 * Streams the response as numbered events, followed by `[DONE]`.
 *
 * @param after number of the last event that a reconnecting client has received
 */
export function* responseEvents(answer: ResponseAnswer, after = -1): Generator<string> {
  let sequence = 0;

  for (const [type, fields] of eventsOf(answer)) {
    if (sequence > after) yield namedEvent(type, { type, ...fields, sequence_number: sequence });
    sequence += 1;
  }
  yield DONE_EVENT;
}

function* eventsOf(answer: ResponseAnswer): Generator<NamedFields> {
  yield ['response.created', { response: startedObject(answer, 'in_progress') }];
  yield ['response.in_progress', { response: startedObject(answer, 'in_progress') }];
  for (const [index, { added, events, done }] of answer.items.entries()) {
    const at = { output_index: index };

    yield ['response.output_item.added', { ...at, item: added }];
    for (const [type, fields] of events) yield [type, { ...at, ...fields }];
    yield ['response.output_item.done', { ...at, item: done }];
  }
  yield [answer.cut ? 'response.incomplete' : 'response.completed', { response: responseObject(answer) }];
}
