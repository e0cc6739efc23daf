export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
/** The only bit in which a brace and a bracket differ: `(byte | CURLY) === OPEN_BRACE` is true for both. */
export const CURLY = 0x20;
export const LETTER_F = 0x66;
export const LETTER_N = 0x6e;
/** No supported format begins with these bytes. */
export const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

/** Whether `bytes` continue with `start` at `at`. Faster than `equals` with a slice. */
export function startsAt(bytes: Buffer, at: number, start: Buffer): boolean {
  for (let i = 0; i < start.length; i++) if (bytes[at + i] !== start[i]) return false;
  return true;
}
