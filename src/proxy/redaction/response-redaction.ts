import { SECRET_LENGTH_MIN } from '../../platform/config/secret-texts.rules.js';
import { SPACE } from '../../platform/json/bytes.js';
import { ChunkBuffer } from '../../platform/request-context/chunk-buffer.js';
import { formatByShape, formatOf } from '../metering/response-format.js';
import { CredentialSearch, CredentialSpellings } from './credential-search.js';
import { ErrorSearch, type ErrorRegion } from './error-search.js';
import { redactCredentials, REDACTED } from './redact-credentials.js';
import { redactJson } from './redact-json.js';

/** The limit for error responses (D5). The rest of a longer error is searched for the account's own credentials only. */
const ERROR_BYTES_MAX = 64 * 1024;
const NOTHING: Buffer = Buffer.alloc(0);
const STRING_START = Buffer.from('"');

export interface Credentials {
  /** The flat list of headers that the account adds to requests. */
  readonly headers: readonly string[];
  /** The secrets of all accounts. */
  readonly secrets: readonly string[];
}

/**
 * Redacts the body of a response with a success status that arrives in chunks (D5). The account's own credentials are replaced
 * everywhere, and everything that looks like a credential in errors. All other bytes stay unchanged. Only an error, and the beginning of
 * a credential at the end of a chunk, are held until they are complete.
 */
export class ResponseRedaction {
  private readonly search: CredentialSearch;
  private errors: ErrorSearch | null = null;
  /** A byte other than whitespace has arrived. */
  private begun = false;
  private held = new ChunkBuffer();
  private heldBytes = 0;
  private readonly placeholder: (length: number) => string;

  /** @param keepsLength a `content-length` was sent, so each replacement must have the length of the original */
  constructor(
    private readonly credentials: Credentials,
    private readonly contentType: string,
    private readonly keepsLength: boolean,
  ) {
    const { headers, secrets } = credentials;
    this.placeholder = keepsLength ? placeholderOfLength : () => REDACTED;
    this.search = new CredentialSearch(CredentialSpellings.of(headers, secrets), this.placeholder);
  }

  /** Returns the bytes to forward now: usually `chunk`, possibly none. */
  push(chunk: Buffer): Buffer {
    if (!this.begun) this.begin(chunk);
    const { errors } = this;
    if (errors === null) return this.search.push(chunk);
    errors.push(chunk);
    const isQuiet = errors.regions.length === 0 && errors.open === null;
    return this.search.push(isQuiet ? chunk : this.withErrorsRedacted(chunk, errors));
  }

  /** Returns the rest. Call it once, after the last chunk. */
  end(): Buffer {
    let rest = NOTHING;
    if (this.errors !== null) {
      this.errors.end();
      rest = this.withErrorsRedacted(NOTHING, this.errors);
    }
    return Buffer.concat([this.search.push(rest), this.search.end()]);
  }

  /** Under another content type, only JSON is searched for errors, because any text could look like an event. */
  private begin(chunk: Buffer): void {
    const { contentType } = this;
    const format = formatByShape(chunk, contentType);
    this.begun = format !== null;
    const isKnown = contentType === '' || formatOf(contentType) !== null;
    if (format !== null && (isKnown || format === 'json')) this.errors = new ErrorSearch(format, ERROR_BYTES_MAX);
  }

  /** Redacts the regions of the chunk that belong to errors, and holds an error that continues in the next chunk. */
  private withErrorsRedacted(chunk: Buffer, errors: ErrorSearch): Buffer {
    // One search is faster than one for each of many short errors.
    if (errors.open === null && this.heldBytes === 0 && this.isClean(chunk)) return chunk;
    const pieces: Buffer[] = [];
    let at = 0;
    for (const region of errors.regions) {
      pieces.push(chunk.subarray(at, region.from), this.redacted(chunk, region));
      at = region.to;
    }
    const { open } = errors;
    if (open !== null && this.heldBytes + chunk.length - open.from <= ERROR_BYTES_MAX) {
      pieces.push(chunk.subarray(at, open.from));
      this.hold(chunk.subarray(open.from));
      return Buffer.concat(pieces);
    }
    if (open !== null) {
      pieces.push(chunk.subarray(at, open.from), this.redacted(chunk, open));
      at = open.to;
      errors.giveUp();
    }
    return Buffer.concat([...pieces, chunk.subarray(at)]);
  }

  /** Copies the bytes, because the memory of a chunk is used again. */
  private hold(bytes: Buffer): void {
    this.held.push(Buffer.from(bytes));
    this.heldBytes += bytes.length;
  }

  /** False if escapes would have to be decoded, which requires the beginnings of the strings. */
  private isClean(chunk: Buffer): boolean {
    const text = chunk.toString('latin1');
    return !text.includes('\\') && redactorOf(this.credentials, this.placeholder)(text) === text;
  }

  private redacted(chunk: Buffer, { from, to, inString }: ErrorRegion): Buffer {
    const bytes = this.heldBytes === 0 ? chunk.subarray(from, to) : this.release(chunk.subarray(from, to));
    const redact = redactorOf(this.credentials, this.placeholder);
    const redacted = inString
      ? redactJson(Buffer.concat([STRING_START, bytes]), redact).subarray(STRING_START.length)
      : redactJson(bytes, redact);
    const missing = this.keepsLength ? Math.max(0, bytes.length - redacted.length) : 0;
    return missing === 0 ? redacted : Buffer.concat([redacted, Buffer.alloc(missing, SPACE)]);
  }

  /** Returns the held bytes and `rest`, and holds nothing afterwards. */
  private release(rest: Buffer): Buffer {
    const bytes = Buffer.concat([...this.held.all(), rest]);
    this.held = new ChunkBuffer();
    this.heldBytes = 0;
    return bytes;
  }
}

/**
 * Redacts a complete response body.
 * @param sent the bytes of `body`, or of its conversion
 * @returns `sent.pieces` themselves if nothing was redacted
 */
export function redactWhole(
  body: Buffer,
  { pieces, isConverted }: { readonly pieces: readonly Buffer[]; readonly isConverted: boolean },
  credentials: Credentials,
): readonly Buffer[] {
  const spellings = CredentialSpellings.of(credentials.headers, credentials.secrets);
  const isError = containsError(body);
  const searched = isConverted ? pieces : [body];
  if (!isError && !searched.some((bytes) => spellings.occurIn(bytes))) return pieces;
  const whole = Buffer.concat(pieces);
  const safe = isError
    ? redactJson(
        whole,
        redactorOf(credentials, () => REDACTED),
      )
    : whole;
  const search = new CredentialSearch(spellings, () => REDACTED);
  return [Buffer.concat([search.push(safe), search.end()])];
}

const NAME_START = Buffer.from('"error');

/** Whether the top level of a JSON body, or of an event, has an error. */
function containsError(body: Buffer): boolean {
  const format = formatByShape(body);
  if (format === null || (format === 'json' && !body.includes(NAME_START))) return false;
  const search = new ErrorSearch(format, Infinity);
  search.push(body);
  if (search.regions.length > 0 || search.open !== null) return true;
  search.end();
  return search.regions.length > 0;
}

function redactorOf({ secrets }: Credentials, placeholder: (length: number) => string): (text: string) => string {
  // Placeholders can occur in any text.
  const long = secrets.filter(({ length }) => length >= SECRET_LENGTH_MIN);
  return (text) => redactCredentials(text, long, placeholder);
}

const placeholderOfLength = (length: number): string =>
  length < REDACTED.length ? '*'.repeat(length) : REDACTED.padEnd(length, '*');
