import { BYTE_ORDER_MARK, OPEN_BRACE, OPEN_BRACKET } from '../../json/bytes.js';
import { isSpace } from '../../json/json-scan.js';

/** How a response is written: JSON documents, JSON documents one per line, or server-sent events. */
export type ResponseFormat = 'json' | 'ndjson' | 'sse';

/** Whether the content type announces a response that arrives event by event. */
export const isEventStream = (contentType: string): boolean =>
  /^(?:text\/event-stream|application\/(?:x-)?ndjson)\b/i.test(contentType);

/** The format that the content type names; null: another type, or none. */
export function formatOf(contentType: string): ResponseFormat | null {
  // Not `application/json-lines`, nor `application/jsonl`.
  if (/^application\/(?:[\w.-]+\+)?json(?![\w-])/i.test(contentType)) return 'json';
  if (/ndjson|jsonl|json-lines/i.test(contentType)) return 'ndjson';
  return /^text\/event-stream\b/i.test(contentType) ? 'sse' : null;
}

/**
 * The format of a response by its first bytes. Some providers send events as `application/json`, or JSON as
 * `text/event-stream`. The content type only separates NDJSON from JSON.
 * @returns null while all bytes are blank
 */
export function formatByLook(bytes: Buffer, contentType = ''): ResponseFormat | null {
  let at = 0;
  while (at < bytes.length && (isSpace(bytes[at]!) || BYTE_ORDER_MARK.includes(bytes[at]!))) at++;
  if (at === bytes.length) return null;
  if (bytes[at] !== OPEN_BRACE && bytes[at] !== OPEN_BRACKET) return 'sse';
  return formatOf(contentType) === 'ndjson' ? 'ndjson' : 'json';
}
