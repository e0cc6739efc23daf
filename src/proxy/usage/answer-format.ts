import { skipSpace } from './json-scan.js';

/** How an answer is written: one JSON document, one a line, or server-sent events. */
export type AnswerFormat = 'json' | 'ndjson' | 'sse';

/** An answer that comes event by event, for as long as the upstream has some. */
export const isEventStream = (contentType: string): boolean =>
  /^(?:text\/event-stream|application\/(?:x-)?ndjson)\b/i.test(contentType);

/** By its content type; null: that says something else, or nothing. */
export function formatOf(contentType: string): AnswerFormat | null {
  // Not `application/json-lines`, nor `application/jsonl`.
  if (/^application\/(?:[\w.-]+\+)?json(?![\w-])/i.test(contentType)) return 'json';
  if (/ndjson|jsonl|json-lines/i.test(contentType)) return 'ndjson';
  return /^text\/event-stream\b/i.test(contentType) ? 'sse' : null;
}

const OPEN_BRACE = 0x7b;

/** By its first bytes, where its content type does not tell; null: they are blank. */
export function formatByLook(bytes: Buffer): AnswerFormat | null {
  const at = skipSpace(bytes, 0);
  if (at === bytes.length) return null;
  return bytes[at] === OPEN_BRACE ? 'json' : 'sse';
}
