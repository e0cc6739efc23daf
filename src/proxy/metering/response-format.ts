import { BYTE_ORDER_MARK, OPEN_BRACE, OPEN_BRACKET } from '../../platform/json/bytes.js';
import type { StreamFormat } from '../../platform/event-stream/event-reader.js';
import { isSpace } from '../../platform/json/json-scan.js';

export type ResponseFormat = StreamFormat;

/** Server-sent events or NDJSON. */
export const isEventStream = (contentType: string): boolean =>
  /^(?:text\/event-stream|application\/(?:x-)?ndjson)\b/i.test(contentType);

/** Null for a content type that cannot report usage, or for an empty one. */
export function formatOf(contentType: string): ResponseFormat | null {
  // Does not match `application/json-lines` or `application/jsonl`.
  if (/^application\/(?:[\w.-]+\+)?json(?![\w-])/i.test(contentType)) return 'json';
  if (/ndjson|jsonl|json-lines/i.test(contentType)) return 'ndjson';
  return /^text\/event-stream\b/i.test(contentType) ? 'sse' : null;
}

/** Ignores a wrong content type: some providers send events as JSON, or JSON as events. Returns null if all bytes are whitespace. */
export function formatByShape(bytes: Buffer, contentType = ''): ResponseFormat | null {
  let at = 0;
  while (at < bytes.length && (isSpace(bytes[at]!) || BYTE_ORDER_MARK.includes(bytes[at]!))) at++;
  if (at === bytes.length) return null;
  if (bytes[at] !== OPEN_BRACE && bytes[at] !== OPEN_BRACKET) return 'sse';
  return formatOf(contentType) === 'ndjson' ? 'ndjson' : 'json';
}
