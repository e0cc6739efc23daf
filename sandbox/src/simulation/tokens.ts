/** A token: up to eight letters or digits, or one other character, with the whitespace before it. */
const PIECE = /\s*(?:[\p{L}\p{N}_]{1,8}|[^\s\p{L}\p{N}_])|\s+/gu;

/** Splits text into sandbox tokens. Streamed and buffered responses have the same tokens. */
export function tokensOf(text: string): string[] {
  return text.match(PIECE) ?? [];
}

/** Counts tokens without keeping them, because a prompt can be several megabytes long. */
export function countTokens(text: string): number {
  const piece = new RegExp(PIECE);
  let count = 0;

  while (piece.test(text)) count += 1;
  return count;
}
