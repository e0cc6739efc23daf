import { BACKSLASH, COLON, QUOTE, SPACE } from './bytes.js';
/** Small ones take far more memory than what they hold. */
const PIECES_MAX = 10_000;

/**
 * The value of a JSON text that a client wrote, the names in it read right. V8 takes a name written with an escape for the
 * one that it expects there from an object parsed before, whose characters it begins with: `"\u006dodel"` becomes `\u006d`,
 * behind which a model would pass the gate unseen (D29). So names are spelled plainly first. What cannot be, for it holds a
 * quote, a backslash or a control character, can be taken for another such name only: each one misread holds a backslash.
 * @throws SyntaxError where it is no JSON
 */
export function parseJson(body: Buffer): unknown {
  return JSON.parse(textWithPlainNames(body));
}

/** A JSON text, or its beginning, with names that hold no escape but where they have to. @throws SyntaxError for a name that is none */
export function textWithPlainNames(body: Buffer): string {
  const text = body.toString();
  return hasEscapedName(text) ? spellNames(text) : text;
}

/** Whether a string that ends before a colon holds a backslash; what else it answers true to does no harm. */
function hasEscapedName(text: string): boolean {
  if (!text.includes('\\')) return false;
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    let at = colon - 1;
    // Control characters are blanks here, or stand where JSON has none.
    while (text.charCodeAt(at) <= SPACE) at--;
    if (text.charCodeAt(at) !== QUOTE) continue;
    const end = at;
    while (text.charCodeAt(at - 1) === BACKSLASH) at--;
    // Within a text: an escaped quote ends no name.
    if ((end - at) % 2 === 1) continue;
    if (end !== at) return true;
    for (at--; at >= 0 && text.charCodeAt(at) !== QUOTE; at--) if (text.charCodeAt(at) === BACKSLASH) return true;
  }
  return false;
}

function spellNames(text: string): string {
  let spelled = '';
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
      spelled += pieces.join('');
      pieces = [];
    }
    at = end;
  }
  return spelled + pieces.join('') + text.slice(from);
}

/** The index after the string whose opening quote is at `at`; -1 where it does not end. */
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
