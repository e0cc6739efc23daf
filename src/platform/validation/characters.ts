/**
 * Whether a text has `min` to `max` Unicode code points. An emoji is one, and a letter with a combining accent is two. Long texts
 * are cheap.
 */
export function hasLength(text: string, min: number, max: number): boolean {
  // A code point takes one or two UTF-16 units.
  if (text.length < min || text.length > 2 * max) return false;
  if (text.length >= 2 * min && text.length <= max) return true;
  const count = Array.from(text).length;
  return count >= min && count <= max;
}

/** A text on one line. Whitespace at its ends would make two names look the same, and control characters could hide text. */
export const LINE = /^[^\s\p{Cc}]([^\p{Cc}\p{Zl}\p{Zp}]*[^\s\p{Cc}])?$/u;

/** Completes "it must be …". */
export const lineExpected = (max: number): string =>
  `a string of 1 to ${max} characters on one line, without white space at its ends`;

/** The pattern that `IsUUID('loose')` checks, for the API description. */
export const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
