import { BACKSLASH, COLON, QUOTE, SPACE } from './bytes.js';
/** Above it, pieces are joined, because short strings take far more memory than their text. */
const PIECES_MAX = 10_000;

/**
 * Parses a client's JSON without a V8 bug that misreads field names with escapes. V8 expects the names of an earlier object.
 * If that object has a field `\u006d` (six characters), V8 reads `"\u006dodel"` as that field, and a model would pass the
 * model gate unseen (D29).
 *
 * So escapes are first removed from names, except if a name needs them. V8 can only misread such a name as another one with a
 * backslash.
 * @throws SyntaxError for invalid JSON
 */
export function parseJson(body: Buffer): unknown {
  return JSON.parse(textWithPlainNames(body));
}

/** `body` can be the beginning of a JSON text. @throws SyntaxError for a malformed name */
export function textWithPlainNames(body: Buffer): string {
  const text = body.toString();
  return hasEscapedName(text) ? unescapeNames(text) : text;
}

/** False positives are harmless. */
function hasEscapedName(text: string): boolean {
  if (!text.includes('\\')) return false;
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let at = colon - 1;
    // A control character here is whitespace, or the text is not JSON.
    while (text.charCodeAt(at) <= SPACE) at--;
    if (text.charCodeAt(at) !== QUOTE) continue;
    const end = at;
    while (text.charCodeAt(at - 1) === BACKSLASH) at--;
    // An escaped quote does not end a name, so this colon is inside a string.
    if ((end - at) % 2 === 1) continue;
    if (end !== at) return true;
    for (at--; at >= 0 && text.charCodeAt(at) !== QUOTE; at--) if (text.charCodeAt(at) === BACKSLASH) return true;
  }
  return false;
}

function unescapeNames(text: string): string {
  let unescaped = '';
  let pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    const end = endOf(text, at);
    if (end === -1) break;
    const string = isName(text, end) ? text.slice(at, end) : '';
    if (string.includes('\\')) {
      pieces.push(text.slice(from, at), JSON.stringify(JSON.parse(string)));
      from = end;
    }
    if (pieces.length > PIECES_MAX) {
      unescaped += pieces.join('');
      pieces = [];
    }
    at = end;
  }
  return unescaped + pieces.join('') + text.slice(from);
}

function endOf(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let i = quote;
    while (text.charCodeAt(i - 1) === BACKSLASH) i--;
    if ((quote - i) % 2 === 0) return quote + 1;
  }
  return -1;
}

function isName(text: string, end: number): boolean {
  while (text.charCodeAt(end) <= SPACE) end++;
  return text.charCodeAt(end) === COLON;
}
