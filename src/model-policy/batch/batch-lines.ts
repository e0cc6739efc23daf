import { countStructure } from '../../json/json-structure.js';
import { LINE_FEED, OPEN_BRACE, SPACE } from '../../json/bytes.js';
import { isUtf8 } from 'node:buffer';
import { invalidValue } from '../../errors/catalogue.js';
import { GatewayError } from '../../errors/gateway-error.js';
import { BodyPieces } from '../../request-context/body-pieces.js';
import { BODY_BYTES_MAX } from '../../routes/route-spec.js';
import { surveyOf } from '../../json/json-structure.js';
import { isObject, type JsonObject } from '../../validation/check.js';
import { parseJson } from '../../json/parse-json.js';
import { repeatedModelMember } from '../../json/repeated-model.js';
import { topLevelMembers } from '../../json/top-level-members.js';

/** The largest body that its own route takes, and room for the members around it. */
export const LINE_BYTES_MAX = BODY_BYTES_MAX + 65_536;
/** Lists and objects in one line: each takes about 160 bytes once parsed, however short its text is. */
export const LINE_CONTAINERS_MAX = 250_000;

/** The body of one line, as the gate judges it. */
export interface BatchRequest {
  /** The path of its route: `/v1/chat/completions`. */
  readonly endpoint: string;
  readonly json: JsonObject;
  /** False: it names no model but its top-level `model`. */
  readonly namesModelsInside: boolean;
}

/**
 * Scans an OpenAI batch file, `{custom_id, method, url, body}` on each line, for the first line that a key may not send.
 * Holds one line in memory at most. Lines that two parsers could read differently are refused (D29).
 */
export class BatchLines {
  private pieces = new BodyPieces();
  private bytes = 0;
  private line = 0;
  private refusal: GatewayError | null = null;

  /** @param judge the refusal of one request, or null: `ModelGate.judgeBatch` */
  constructor(private readonly judge: (request: BatchRequest) => GatewayError | null) {}

  /**
   * Takes the next chunk of the file.
   * @returns the refusal of the first bad line so far, or null. After a refusal the rest is not read. Its code is that of
   *   the gate, or `invalid_value` with `param` `input_file_id` for a line that cannot be read.
   */
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

  /** Takes the end of the file, which can end its last line. @returns as `push` */
  end(): GatewayError | null {
    if (this.refusal === null) this.endLine();
    return this.refusal;
  }

  private add(piece: Buffer): void {
    this.bytes += piece.length;
    if (this.bytes > LINE_BYTES_MAX) {
      this.line++;
      this.refuse(unreadable(`longer than ${LINE_BYTES_MAX} bytes`));
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

const unreadable = (why: string): GatewayError =>
  invalidValue('input_file_id', `a file of batch requests, and this line is ${why}`);

/** @throws GatewayError `invalid_value` if two parsers could read the line differently, or it is not a request */
function requestIn(line: Buffer): BatchRequest {
  if (!isUtf8(line)) throw unreadable('not UTF-8');
  if (hasTooManyContainers(line)) throw unreadable(`of more than ${LINE_CONTAINERS_MAX} lists and objects`);
  const { url, body: json } = parsed(line);
  const members = [...topLevelMembers(line)];
  if (new Set(members.map(({ name }) => name)).size < members.length)
    throw unreadable('an object with a repeated name');
  if (typeof url !== 'string' || !isObject(json)) {
    throw unreadable('without a text `url` and an object `body`');
  }
  const { start, end } = members.find(({ name }) => name === 'body')!;
  const body = line.subarray(line.indexOf(OPEN_BRACE, start), end);
  const { members: parsedMembers, namesModelsInside } = surveyOf(json);
  const repeated = repeatedModelMember(body, json, parsedMembers);
  if (repeated !== null) throw unreadable('an object with a repeated name where a model is named');
  return { endpoint: url, json, namesModelsInside };
}

function parsed(line: Buffer): JsonObject {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch {
    throw unreadable('not JSON');
  }
  if (!isObject(value)) throw unreadable('not a JSON object');
  return value;
}

/** Only a long line can hold that many. */
function hasTooManyContainers(line: Buffer): boolean {
  if (line.length < LINE_CONTAINERS_MAX) return false;
  const { containers, whole } = countStructure(line);
  return whole && containers > LINE_CONTAINERS_MAX;
}
