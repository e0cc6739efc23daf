import { countStructure } from '../../json/json-structure.js';
import { LINE_FEED, OPEN_BRACE, SPACE } from '../../json/bytes.js';
import { isUtf8 } from 'node:buffer';
import { invalidValue } from '../../errors/error-factories.js';
import { GatewayError } from '../../errors/gateway-error.js';
import { BodyPieces } from '../../request-context/body-pieces.js';
import { BODY_BYTES_MAX } from '../../routes/route-spec.js';
import { surveyOf } from '../../json/json-structure.js';
import { isObject, type JsonObject } from '../../validation/check.js';
import { parseJson } from '../../json/parse-json.js';
import { repeatedModelField } from '../../json/repeated-model.js';
import { topLevelFields } from '../../json/top-level-fields.js';

/** The largest JSON body that a route accepts, plus room for the fields around it. */
export const LINE_BYTES_MAX = BODY_BYTES_MAX + 65_536;
/** Maximum number of arrays and objects per line. Each takes about 160 bytes once parsed, even if its text is short. */
export const LINE_CONTAINERS_MAX = 250_000;

export interface BatchRequest {
  readonly endpoint: string;
  readonly json: JsonObject;
  /** False if the body names no model except its top-level `model`. */
  readonly namesModelsInside: boolean;
}

/**
 * Scans an OpenAI batch file, `{custom_id, method, url, body}` on each line, for the first line that a key must not send. Keeps
 * at most one line in memory. Lines that two parsers could read differently are rejected (D29).
 */
export class BatchLines {
  private pieces = new BodyPieces();
  private bytes = 0;
  private line = 0;
  private refusal: GatewayError | null = null;

  constructor(private readonly judge: (request: BatchRequest) => GatewayError | null) {}

  /** @returns the error for the first rejected line so far; for an invalid line, `invalid_value` with param `input_file_id` */
  push(chunk: Buffer): GatewayError | null {
    let from = 0;
    while (this.refusal === null) {
      const end = chunk.indexOf(LINE_FEED, from);
      this.add(chunk.subarray(from, end === -1 ? chunk.length : end));
      if (end === -1) break;
      this.endLine();
      from = end + 1;
    }
    return this.refusal;
  }

  /** Scans the last line, which does not have to end in a newline. */
  end(): GatewayError | null {
    if (this.refusal === null) this.endLine();
    return this.refusal;
  }

  private add(piece: Buffer): void {
    this.bytes += piece.length;
    if (this.bytes > LINE_BYTES_MAX) {
      this.line++;
      this.refuse(unreadable(`is longer than ${LINE_BYTES_MAX} bytes`));
    } else if (piece.length > 0) this.pieces.push(piece);
  }

  private endLine(): void {
    const line = this.pieces.whole();
    this.pieces = new BodyPieces();
    this.bytes = 0;
    this.line++;
    if (isBlank(line)) return;
    try {
      const refusal = this.judge(requestIn(line));
      if (refusal !== null) this.refuse(refusal);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      this.refuse(error);
    }
  }

  private refuse({ code, message, param }: GatewayError): void {
    this.pieces = new BodyPieces();
    this.refusal = new GatewayError(code, `Line ${this.line} of the input file: ${message}`, { param });
  }
}

const isBlank = (line: Buffer): boolean => line.every((byte) => byte <= SPACE);

const unreadable = (problem: string): GatewayError =>
  invalidValue('input_file_id', `a file of valid batch requests, but this line ${problem}`);

function requestIn(line: Buffer): BatchRequest {
  if (!isUtf8(line)) throw unreadable('is not UTF-8');
  if (hasTooManyContainers(line)) throw unreadable(`contains more than ${LINE_CONTAINERS_MAX} arrays and objects`);
  const { url, body: json } = parsed(line);
  const fields = [...topLevelFields(line)];
  if (new Set(fields.map(({ name }) => name)).size < fields.length) throw unreadable('repeats a field');
  if (typeof url !== 'string' || !isObject(json)) {
    throw unreadable("lacks a string 'url' or an object 'body'");
  }
  const { start, end } = fields.find(({ name }) => name === 'body')!;
  const body = line.subarray(line.indexOf(OPEN_BRACE, start), end);
  const { fields: parsedFields, namesModelsInside } = surveyOf(json);
  const repeated = repeatedModelField(body, json, parsedFields);
  if (repeated !== null) throw unreadable('repeats a field that names a model');
  return { endpoint: url, json, namesModelsInside };
}

function parsed(line: Buffer): JsonObject {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch {
    throw unreadable('is not JSON');
  }
  if (!isObject(value)) throw unreadable('is not a JSON object');
  return value;
}

function hasTooManyContainers(line: Buffer): boolean {
  if (line.length < LINE_CONTAINERS_MAX) return false;
  const { containers, whole } = countStructure(line);
  return whole && containers > LINE_CONTAINERS_MAX;
}
