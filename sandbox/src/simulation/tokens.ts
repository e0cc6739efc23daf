/** A piece: up to eight letters or digits, or one other sign, with the blanks before it. The pieces join to the text. */
const PIECE = /\s*(?:[\p{L}\p{N}_]{1,8}|[^\s\p{L}\p{N}_])|\s+/gu;

/** The text cut into the tokens of the sandbox: no model's own, but the same in a stream as in a whole answer. */
export function tokensOf(text: string): string[] {
  return text.match(PIECE) ?? [];
}

/** As many as `tokensOf` gives, without holding them: prompts may have megabytes. */
export function countTokens(text: string): number {
  const piece = new RegExp(PIECE);
  let count = 0;

  while (piece.test(text)) count += 1;
  return count;
}
