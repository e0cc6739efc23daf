import { isUtf8 } from 'node:buffer';
import { BACKSLASH, QUOTE } from '../../platform/json/bytes.js';
import { decodeString, endOfString } from '../../platform/json/json-scan.js';

/** Shorter texts contain no credential. */
const LENGTH_MIN = 8;

/**
 * Redacts the strings of a JSON text, field names included, with their escapes decoded. Other text is redacted as it is, so the bytes
 * need not be JSON. All other bytes stay unchanged. The text is not parsed, so its depth does not matter.
 * @returns `bytes` themselves if nothing was redacted
 */
export function redactJson(bytes: Buffer, redact: (text: string) => string): Buffer {
  const text = bytes.toString('latin1');
  const isClean = redact(text) === text;
  // An escape can hide a credential from a search in the text.
  if (isClean && !bytes.includes(BACKSLASH)) return bytes;
  return new JsonRedaction(bytes, redact, isClean).result();
}

class JsonRedaction {
  private readonly pieces: Buffer[] = [];
  private copied = 0;

  /** @param isClean only strings with escapes can contain a credential */
  constructor(
    private readonly bytes: Buffer,
    private readonly redact: (text: string) => string,
    private readonly isClean: boolean,
  ) {}

  result(): Buffer {
    const { bytes, pieces } = this;
    for (let at = 0; at < bytes.length;) {
      const quote = bytes.indexOf(QUOTE, at);
      const end = quote === -1 ? -1 : endOfString(bytes, quote);
      this.plain(at, end === -1 ? bytes.length : quote);
      if (end === -1) break;
      this.string(quote, end);
      at = end;
    }
    if (pieces.length === 0) return bytes;
    pieces.push(bytes.subarray(this.copied));
    return Buffer.concat(pieces);
  }

  private string(start: number, end: number): void {
    if (end - start < LENGTH_MIN) return;
    const json = this.bytes.subarray(start, end);
    if (!json.includes(BACKSLASH)) return this.plain(start + 1, end - 1);
    // A provider could add an invalid byte to hide the escapes.
    const encoding = isUtf8(json) ? 'utf8' : 'latin1';
    const utf8 = encoding === 'utf8' ? json : Buffer.from(json.toString('latin1'));
    const text = decodeString(utf8, 0, utf8.length);
    if (text === null) return this.plain(start + 1, end - 1);
    const redacted = this.redact(text);
    if (redacted !== text) this.replace(start, end, Buffer.from(jsonOf(redacted), encoding));
  }

  private plain(start: number, end: number): void {
    if (this.isClean || end - start < LENGTH_MIN) return;
    const text = this.bytes.toString('latin1', start, end);
    const redacted = this.redact(text);
    if (redacted !== text) this.replace(start, end, Buffer.from(redacted, 'latin1'));
  }

  private replace(start: number, end: number, replacement: Buffer): void {
    this.pieces.push(this.bytes.subarray(this.copied, start), replacement);
    this.copied = end;
  }
}

/** Characters beyond latin1 are escaped, so that both encodings can represent the text. */
const jsonOf = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\u0100-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
