/** Without those that are taken for one another when read aloud or typed: 0 O, 1 l I. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP = 5;

/** 20 random characters in four groups, as `Xk3fT-…`: some 116 bits. */
export function generatedPassword(): string {
  return Array.from({ length: GROUPS }, () => Array.from({ length: GROUP }, letter).join('')).join('-');
}

/** Each letter as likely as any other: bytes beyond the last whole round are thrown away. */
function letter(): string {
  const fair = 256 - (256 % LETTERS.length);
  for (;;) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < fair) return LETTERS[byte % LETTERS.length]!;
  }
}
