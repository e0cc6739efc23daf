import { endOfString } from './json-string.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

/**
 * Looks for a member of the JSON object that begins at `objectAt` (at its brace), without parsing what lies between.
 * The first of several equal names is taken. What is no JSON gives -1 or a wrong place, never a throw; each byte is looked at once.
 * @returns where the member's value begins; -1 where there is none, or where the bytes end before it begins
 */
export function memberAt(bytes: Buffer, objectAt: number, name: string): number {
  if (bytes[objectAt] !== OPEN_BRACE) return -1;
  let at = skipSpace(bytes, objectAt + 1);
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

/** The index after the value that begins at `at`; -1 where the bytes end before it is certain to have ended. */
export function endOfValue(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return endOfString(bytes, at);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return endOfContainer(bytes, at);
  let end = at;
  while (end < bytes.length && !endsScalar(bytes[end] as number)) end++;
  return end === bytes.length || end === at ? -1 : end;
}

/**
 * Where the string whose closing quote is at `at` has its opening quote; -1 where there is none. For JSON read from its end:
 * a quote with a backslash before it is within the string, for no opening quote has one.
 */
export function startOfString(bytes: Buffer, at: number): number {
  const nearby = Math.max(0, at - 64);
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
  while (i < bytes.length && isSpace(bytes[i] as number)) i++;
  return i;
}

export const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Whether the JSON string from `at` (its quote) to `end` (after its closing quote) says `text`, which is plain ASCII. */
export function isString(bytes: Buffer, at: number, end: number, text: string): boolean {
  const length = end - at - 2;
  if (length < text.length || length > text.length * 6) return false;
  let i = 0;
  while (i < text.length && bytes[at + 1 + i] === text.charCodeAt(i)) i++;
  if (i === text.length) return length === text.length;
  // The first byte that differs may begin an escape.
  return bytes[at + 1 + i] === BACKSLASH && decodeString(bytes, at, end) === text;
}

/** The text of a JSON string; null for one that is malformed. */
export function decodeString(bytes: Buffer, at: number, end: number): string | null {
  const text = bytes.toString('utf8', at, end);
  if (!text.includes('\\')) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    return null;
  }
}

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

const endsScalar = (byte: number): boolean =>
  byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte);
