/** How an answer is written: one JSON document, one a line, or server-sent events. */
export type AnswerFormat = 'json' | 'ndjson' | 'sse';

/** An answer that comes event by event, for as long as the upstream has some. */
export const isEventStream = (contentType: string): boolean =>
  /^(?:text\/event-stream|application\/(?:x-)?ndjson)\b/i.test(contentType);

/** By its content type; what says nothing else is taken for server-sent events. */
export function formatOf(contentType: string): AnswerFormat {
  // Not `application/json-lines`, nor `application/jsonl`.
  if (/^application\/(?:[\w.-]+\+)?json(?![\w-])/i.test(contentType)) return 'json';
  return /ndjson|jsonl|json-lines/i.test(contentType) ? 'ndjson' : 'sse';
}
