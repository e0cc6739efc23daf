const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);
const COLON = 0x3a;

const MODEL = Buffer.from('"model');
// Escapes of the letters that "models" is made of: \u006d … and \u0073.
const ESCAPED_LETTERS = [Buffer.from('\\u006'), Buffer.from('\\u007')];

/**
 * Whether a JSON object that JSON.parse has taken holds a top-level member `name` (`model`, `models`) more than once,
 * also written with escapes: two parsers would read such a body differently (D29).
 * Walked only where `"model` stands more than once or an escape could spell it; most bodies pay two searches.
 */
export function repeatedModelMember(body: Buffer): 'model' | 'models' | null {
  const first = body.indexOf(MODEL);
  const again = first >= 0 && body.indexOf(MODEL, first + 1) >= 0;
  if (!again && !ESCAPED_LETTERS.some((escape) => body.includes(escape))) return null;
  const seen = new Set<string>();
  for (const name of topLevelNames(body)) {
    if (name !== 'model' && name !== 'models') continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

/** Names of the members of the outermost object, as a parser reads them, in order, repeats included. */
export function* topLevelNames(body: Buffer): Generator<string> {
  let depth = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      if (depth === 1 && isName(body, end)) yield JSON.parse(body.toString('utf8', at, end)) as string;
      at = end - 1;
    } else if (OPEN.has(byte)) depth++;
    else if (CLOSE.has(byte)) depth--;
  }
}

/** Index behind the closing quote of the string that begins at `start`. */
function endOfString(body: Buffer, start: number): number {
  for (let at = body.indexOf(QUOTE, start + 1); at >= 0; at = body.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (body[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return body.length;
}

function isName(body: Buffer, at: number): boolean {
  while (body[at] === 0x20 || body[at] === 0x09 || body[at] === 0x0a || body[at] === 0x0d) at++;
  return body[at] === COLON;
}
