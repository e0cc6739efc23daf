import { BACKSLASH, COLON, QUOTE } from './bytes.js';
import { endOfString, hasBackslash } from './json-scan.js';

/** Names repeat, and each takes a third of a microsecond to decode. A body has at most as many different names. */
const CACHED_NAMES_MAX = 10_000;

/**
 * Parses a client's JSON without a V8 bug that misreads field names with escapes. V8 expects the names of an earlier object.
 * If that object has a field `\u006d` (six characters), V8 reads `"\u006dodel"` as that field, and a model would pass the
 * model gate unseen (D29).
 *
 * Therefore, escapes are first removed from names that do not need them. V8 can misread the remaining names only as other names with
 * a backslash.
 * @param mayHaveEscapedNames false if the body is known to have no name with an escape. Otherwise, it is searched for one
 * @throws SyntaxError for invalid JSON
 */
export function parseJson(body: Buffer, mayHaveEscapedNames = true): unknown {
  return JSON.parse(mayHaveEscapedNames ? textWithPlainNames(body) : body.toString());
}

/** Parses text that is possibly not JSON. Then it returns undefined. For bodies of clients, use `parseJson`. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** `body` can be the beginning of a JSON text. @throws SyntaxError for a malformed name */
export function textWithPlainNames(body: Buffer): string {
  if (!body.includes(BACKSLASH)) return body.toString();
  const names = new PlainNames(body);
  /** The last string. Before a colon, it is a name. */
  let [start, end] = [0, 0];
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) {
      start = at;
      end = endOfString(body, at);
      if (end === -1) break;
      at = end - 1;
    } else if (byte === COLON && hasBackslash(body, start, end)) {
      names.replace(start, end);
      start = end;
    }
  }
  return names.text();
}

/** A copy of a text in which names are replaced. A name takes no more bytes without its escapes. */
class PlainNames {
  private copy: Buffer | null = null;
  private copied = 0;
  private from = 0;
  private readonly plain = new Map<string, string>();

  constructor(private readonly body: Buffer) {}

  replace(start: number, end: number): void {
    this.copy ??= Buffer.allocUnsafe(this.body.length);
    this.copied += this.body.copy(this.copy, this.copied, this.from, start);
    this.copied += this.copy.write(this.plainName(this.body.toString('utf8', start, end)), this.copied);
    this.from = end;
  }

  text(): string {
    const { body, copy } = this;
    if (copy === null) return body.toString();
    this.copied += body.copy(copy, this.copied, this.from);
    return copy.toString('utf8', 0, this.copied);
  }

  private plainName(name: string): string {
    const known = this.plain.get(name);
    if (known !== undefined) return known;
    const plain = JSON.stringify(JSON.parse(name));
    if (this.plain.size < CACHED_NAMES_MAX) this.plain.set(name, plain);
    return plain;
  }
}
