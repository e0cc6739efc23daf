import { excessIn, structureOf } from '../../platform/json/json-structure.js';
import { CARRIAGE_RETURN, LINE_FEED, OPEN_BRACE, SPACE } from '../../platform/json/bytes.js';
import { isUtf8 } from 'node:buffer';
import { invalidValue } from '../../platform/errors/error-factories.js';
import { GatewayError } from '../../platform/errors/gateway-error.js';
import { ChunkBuffer } from '../../platform/request-context/chunk-buffer.js';
import { BODY_BYTES_MAX } from '../../platform/routes/route-spec.js';
import { isObject, type JsonObject } from '../../platform/validation/check.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { foldedName, surveyOf } from '../../platform/json/field-names.js';
import { topLevelFields } from '../../platform/json/top-level-fields.js';
import { twoReadingsIn, type Spellings } from '../../platform/json/two-readings.js';

/** The largest JSON body that a route accepts, plus room for the fields around it. */
export const LINE_BYTES_MAX = BODY_BYTES_MAX + 65_536;
/** Twice as many as OpenAI accepts in a batch, and as many as Azure. Checking a short line takes microseconds. */
const REQUESTS_MAX = 100_000;
/** Includes blank lines, which take a tenth of a microsecond each. */
const LINES_MAX = 1_000_000;

export interface BatchRequest {
  /** The path that the line names, as in the file. */
  readonly url: string;
  readonly json: JsonObject;
  /** False if the body names no model except its top-level `model`. */
  readonly namesModelsInside: boolean;
}

/**
 * Scans an OpenAI batch file, `{custom_id, method, url, body}` on each line, for the first line that a key must not send. Keeps
 * at most one line in memory. Lines that two parsers could read differently are rejected (D29).
 *
 * A line ends with LF, CR or CRLF. Some parsers also end it at other characters, such as U+2028. In valid JSON, these occur only
 * within strings, whose parts are not valid JSON.
 */
export class BatchLines {
  private pieces = new ChunkBuffer();
  private bytes = 0;
  private line = 0;
  private requests = 0;
  /** The last byte was a CR, so an LF that follows belongs to the same line break. */
  private followsReturn = false;
  private rejection: GatewayError | null = null;

  /** @param spellings see `twoReadingsIn` */
  constructor(
    private readonly judge: (request: BatchRequest) => GatewayError | null,
    private readonly spellings: Spellings,
  ) {}

  /** @returns the error for the first rejected line so far; for an invalid line, `invalid_value` with param `input_file_id` */
  push(chunk: Buffer): GatewayError | null {
    let from = 0;
    let feed = -1;
    let carriageReturn = -1;
    while (this.rejection === null && from < chunk.length) {
      if (feed < from) feed = indexOf(chunk, LINE_FEED, from);
      if (carriageReturn < from) carriageReturn = indexOf(chunk, CARRIAGE_RETURN, from);
      const end = Math.min(feed, carriageReturn);
      if (end > from) this.add(chunk.subarray(from, end));
      if (end === chunk.length) break;
      const endsBefore = end === feed && this.followsReturn && this.bytes === 0;
      if (!endsBefore) this.endLine();
      this.followsReturn = end === carriageReturn;
      from = end + 1;
    }
    return this.rejection;
  }

  /** Scans the last line, which does not have to end in a line break. */
  end(): GatewayError | null {
    if (this.rejection === null) this.endLine();
    return this.rejection;
  }

  private add(piece: Buffer): void {
    this.followsReturn = false;
    this.bytes += piece.length;
    if (this.bytes > LINE_BYTES_MAX) {
      this.line++;
      this.reject(unreadable(`is longer than ${LINE_BYTES_MAX} bytes`));
    } else this.pieces.push(piece);
  }

  private endLine(): void {
    this.line++;
    if (this.line > LINES_MAX) return this.reject(unreadable(`follows ${LINES_MAX} other lines`));
    if (this.bytes === 0) return;
    const line = this.pieces.whole();
    this.pieces = new ChunkBuffer();
    this.bytes = 0;
    if (isBlank(line)) return;
    this.requests++;
    try {
      if (this.requests > REQUESTS_MAX) throw unreadable(`follows ${REQUESTS_MAX} other requests`);
      const rejection = this.judge(requestIn(line, this.spellings));
      if (rejection !== null) this.reject(rejection);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      this.reject(error);
    }
  }

  private reject({ code, message, param }: GatewayError): void {
    this.pieces = new ChunkBuffer();
    this.rejection = new GatewayError(code, `Line ${this.line} of the input file: ${message}`, { param });
  }
}

/** Returns the length of the chunk if the byte does not occur. */
function indexOf(chunk: Buffer, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at === -1 ? chunk.length : at;
}

function isBlank(line: Buffer): boolean {
  for (const byte of line) if (byte > SPACE) return false;
  return true;
}

const unreadable = (problem: string): GatewayError =>
  invalidValue('input_file_id', `a file of valid batch requests, but this line ${problem}`);

function requestIn(line: Buffer, spellings: Spellings): BatchRequest {
  if (!isUtf8(line)) throw unreadable('is not UTF-8');
  const structure = structureOf(line);
  const excess = excessIn(structure);
  if (excess !== null) throw unreadable(`has ${excess}`);
  const { body: json, ...around } = parsed(line, structure?.hasEscapedNames);
  const { url } = around;
  const fields = [...topLevelFields(line)];
  // Ignoring case, as some parsers do.
  if (new Set(fields.map(({ name }) => foldedName(name))).size < fields.length) throw unreadable('repeats a field');
  if (typeof url !== 'string' || !isObject(json)) throw unreadable("lacks a string 'url' or an object 'body'");
  if ('model' in around || surveyOf(around).namesModelsInside) throw unreadable("names a model outside of its 'body'");
  if (NOT_IN_PATH.test(url)) throw unreadable("has a 'url' that is not only a path");
  const { start, end } = fields.find(({ name }) => name === 'body')!;
  const body = line.subarray(line.indexOf(OPEN_BRACE, start), end);
  const survey = surveyOf(json);
  const found = twoReadingsIn(body, json, spellings, { survey });
  if (found !== null) throw unreadable(`has a second "${found.name}", or a field that differs from it only by case`);
  return { url, json, namesModelsInside: survey.namesModelsInside };
}

/** A provider could use a model in the query, or read another path. */
const NOT_IN_PATH = /[?#\\%\s]/;

function parsed(line: Buffer, mayHaveEscapedNames?: boolean): JsonObject {
  let value: unknown;
  try {
    value = parseJson(line, mayHaveEscapedNames);
  } catch {
    throw unreadable('is not JSON');
  }
  if (!isObject(value)) throw unreadable('is not a JSON object');
  return value;
}
