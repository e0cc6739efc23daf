/** Omits easily confused characters: 0 and O, 1, l and I. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP = 5;

/** Generates 20 random characters in four groups, such as `Xk3fT-…`, with about 116 bits of entropy. */
export function generatedPassword(): string {
  return Array.from({ length: GROUPS }, () => Array.from({ length: GROUP }, letter).join('')).join('-');
}

/** Discards bytes above the largest multiple, so that all letters are equally probable. */
function letter(): string {
  const fair = 256 - (256 % LETTERS.length);
  for (;;) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < fair) return LETTERS[byte % LETTERS.length]!;
  }
}
