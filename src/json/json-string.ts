const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Bytes that are looked at one by one: a search that leaves JavaScript is worth its price for longer strings only. */
const NEAR_BYTES = 64;

/** The index after the JSON string whose opening quote is at `at`; -1 where it does not end. */
export function endOfString(bytes: Buffer, at: number): number {
  let i = at + 1;
  const nearby = Math.min(bytes.length, i + NEAR_BYTES);
  for (; i < nearby; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) return i + 1;
    if (byte === BACKSLASH) i++;
  }
  for (let quote = bytes.indexOf(QUOTE, i); quote !== -1; quote = bytes.indexOf(QUOTE, quote + 1)) {
    if (!isEscaped(bytes, quote)) return quote + 1;
  }
  return -1;
}

/** What the JSON string says that stands from `start` to before `end`, quotes included: its escapes undone. */
export function stringAt(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString('utf8', start + 1, end - 1);
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}

function isEscaped(bytes: Buffer, quote: number): boolean {
  let i = quote;
  while (bytes[i - 1] === BACKSLASH) i--;
  return (quote - i) % 2 === 1;
}
