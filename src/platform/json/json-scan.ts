import {
  BACKSLASH,
  CARRIAGE_RETURN,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  TAB,
} from './bytes.js';

// These functions search JSON bytes without parsing them. For other bytes, they return -1 or a wrong index, and never throw.

/** Checked one by one. A native search is faster only for longer strings. */
const NEAR_BYTES = 64;

/** Returns the index of a field's value in the object at `objectAt`, or -1. If a name is repeated, the first field is used. */
export function fieldAt(bytes: Buffer, objectAt: number, name: string): number {
  return bytes[objectAt] === OPEN_BRACE ? findField(bytes, skipSpace(bytes, objectAt + 1), name) : -1;
}

/** Like `fieldAt`, but searches only the fields after the value that ends at `valueEnd`. -1 if that is -1. */
export function fieldAfter(bytes: Buffer, valueEnd: number, name: string): number {
  const comma = valueEnd === -1 ? -1 : skipSpace(bytes, valueEnd);
  return comma !== -1 && bytes[comma] === COMMA ? findField(bytes, skipSpace(bytes, comma + 1), name) : -1;
}

/** @param fieldsAt the index of the first field's name */
function findField(bytes: Buffer, fieldsAt: number, name: string): number {
  let at = fieldsAt;
  while (bytes[at] === QUOTE) {
    const nameEnd = endOfString(bytes, at);
    if (nameEnd === -1) return -1;
    const colon = skipSpace(bytes, nameEnd);
    if (bytes[colon] !== COLON) return -1;
    const value = skipSpace(bytes, colon + 1);
    if (value >= bytes.length) return -1;
    if (isString(bytes, at, nameEnd, name)) return value;
    const end = endOfValue(bytes, value);
    if (end === -1) return -1;
    const comma = skipSpace(bytes, end);
    if (bytes[comma] !== COMMA) return -1;
    at = skipSpace(bytes, comma + 1);
  }
  return -1;
}

/**
 * Returns the index of a top-level field's value, or -1. Like `JSON.parse`, it uses the last of repeated names. JSON can be
 * read backwards, because a quote inside a string follows a backslash, and there are no backslashes outside strings.
 */
export function lastFieldAt(bytes: Buffer, name: string): number {
  let at = bytes.length - 1;
  while (at >= 0 && isSpace(bytes[at]!)) at--;
  if (bytes[at] !== CLOSE_BRACE) return -1;
  let depth = 0;
  for (; at >= 0; at--) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const start = startOfString(bytes, at);
      if (start === -1) return -1;
      if (depth === 1 && isString(bytes, start, at + 1, name)) {
        const colon = skipSpace(bytes, at + 1);
        if (bytes[colon] === COLON) return skipSpace(bytes, colon + 1);
      }
      at = start;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth++;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth--;
      if (depth === 0) return -1;
    }
  }
  return -1;
}

/** Returns the index after the value that begins at `at`, or -1 if the value might continue after the bytes. */
export function endOfValue(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return endOfString(bytes, at);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return endOfContainer(bytes, at);
  let end = at;
  while (end < bytes.length && !endsScalar(bytes[end]!)) end++;
  return end === bytes.length || end === at ? -1 : end;
}

const endsScalar = (byte: number): boolean =>
  byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte);

function endOfContainer(bytes: Buffer, at: number): number {
  let depth = 0;
  for (let i = at; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      const end = endOfString(bytes, i);
      if (end === -1) return -1;
      i = end - 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

/** Returns the index after the string whose opening quote is at `at`, or -1 if the string does not end. */
export function endOfString(bytes: Buffer, at: number): number {
  let i = at + 1;
  while (i < bytes.length) {
    const nearby = Math.min(bytes.length, i + NEAR_BYTES);
    for (; i < nearby; i++) {
      const byte = bytes[i];
      if (byte === QUOTE) return i + 1;
      if (byte === BACKSLASH) i++;
    }
    const quote = bytes.indexOf(QUOTE, i);
    if (quote === -1) return -1;
    if (!isEscaped(bytes, quote, i)) return quote + 1;
    // In a text with many quotes, a search for each of them would take ten times as long as the loop above.
    i = quote + 1;
  }
  return -1;
}

/** @param from the beginning of the text or of an escape, or a byte after an escape */
function isEscaped(bytes: Buffer, quote: number, from: number): boolean {
  let i = quote;
  while (i > from && bytes[i - 1] === BACKSLASH) i--;
  return (quote - i) % 2 === 1;
}

/** Returns the index of the string's opening quote, or -1. Its closing quote is at `at`. */
export function startOfString(bytes: Buffer, at: number): number {
  const nearby = Math.max(0, at - NEAR_BYTES);
  let quote = at - 1;
  for (; quote >= nearby; quote--) {
    if (bytes[quote] === QUOTE && bytes[quote - 1] !== BACKSLASH) return quote;
  }
  while (quote >= 0) {
    quote = bytes.lastIndexOf(QUOTE, quote);
    if (quote === -1 || bytes[quote - 1] !== BACKSLASH) return quote;
    quote--;
  }
  return -1;
}

export function skipSpace(bytes: Buffer, at: number): number {
  let i = at;
  while (i < bytes.length && isSpace(bytes[i]!)) i++;
  return i;
}

export const isSpace = (byte: number): boolean =>
  byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;

/** Whether the string from `at` to `end`, including its quotes, equals `text`, which must be ASCII. */
export function isString(bytes: Buffer, at: number, end: number, text: string): boolean {
  const length = end - at - 2;
  if (length < text.length || length > text.length * 6) return false;
  let i = 0;
  while (i < text.length && bytes[at + 1 + i] === text.charCodeAt(i)) i++;
  if (i === text.length) return length === text.length;
  // The first byte that differs can begin an escape.
  return bytes[at + 1 + i] === BACKSLASH && decodeString(bytes, at, end) === text;
}

/** Decodes the string from `start` to `end`, including its quotes. @throws SyntaxError if it is malformed */
export function stringAt(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
}

/** Like `stringAt`, but returns null for a malformed string. */
export function decodeString(bytes: Buffer, start: number, end: number): string | null {
  try {
    return stringAt(bytes, start, end);
  } catch {
    return null;
  }
}

export function hasBackslash(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return true;
  return false;
}
