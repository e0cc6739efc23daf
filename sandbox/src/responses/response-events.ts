import { DONE_EVENT, namedEvent } from '../wire/event-stream.js';
import type { NamedFields } from './output-item.js';
import type { ResponsesResponse } from './responses-response.js';
import { responseObject, startedObject } from './response-object.js';

/**
 * Streams the response as numbered events, followed by `[DONE]`.
 *
 * @param after number of the last event that a reconnecting client has received
 */
export function* responseEvents(response: ResponsesResponse, after = -1): Generator<string> {
  let sequence = 0;

  for (const [type, fields] of eventsOf(response)) {
    if (sequence > after) yield namedEvent(type, { type, ...fields, sequence_number: sequence });
    sequence += 1;
  }
  yield DONE_EVENT;
}

function* eventsOf(response: ResponsesResponse): Generator<NamedFields> {
  yield ['response.created', { response: startedObject(response, 'in_progress') }];
  yield ['response.in_progress', { response: startedObject(response, 'in_progress') }];
  for (const [index, { added, events, done }] of response.items.entries()) {
    const at = { output_index: index };

    yield ['response.output_item.added', { ...at, item: added }];
    for (const [type, fields] of events) yield [type, { ...at, ...fields }];
    yield ['response.output_item.done', { ...at, item: done }];
  }
  yield [response.cut ? 'response.incomplete' : 'response.completed', { response: responseObject(response) }];
}
