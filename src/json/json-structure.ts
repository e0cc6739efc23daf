import { COLON, COMMA, CURLY, OPEN_BRACE, QUOTE } from './bytes.js';
import { endOfString } from './json-scan.js';
import { namesModels } from './named-models.js';

/** Measured V8 memory for an empty array or object, including its slot in the parent and temporary parser data. */
const CONTAINER_BYTES = 160;
/** The memory for a field of an object, mostly for a unique name. */
const FIELD_BYTES = 112;
const ENTRY_BYTES = 16;
/** Shorter bodies take at most a few megabytes, regardless of their content. */
const LIGHT_BYTES_MAX = 65_536;

interface JsonStructure {
  readonly containers: number;
  /** Includes repeated names. */
  readonly fields: number;
  /** The number of commas. */
  readonly entries: number;
  /** False if a string does not end. The text after it is not counted. */
  readonly whole: boolean;
}

export function countStructure(body: Buffer): JsonStructure {
  let containers = 0;
  let fields = 0;
  let entries = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      if (end === -1) return { containers, fields, entries, whole: false };
      at = end - 1;
    } else if (byte === COMMA) entries++;
    else if (byte === COLON) fields++;
    else if ((byte | CURLY) === OPEN_BRACE) containers++;
  }
  return { containers, fields, entries, whole: true };
}

/** Null for a short text, whose parsed form is small. */
export const structureOf = (body: Buffer): JsonStructure | null =>
  body.length <= LIGHT_BYTES_MAX ? null : countStructure(body);

/** Estimates the memory for a parsed JSON text, in addition to the text. 10 MB of `[],` take half a gigabyte. */
export const parsedBytes = (structure: JsonStructure | null): number =>
  structure === null
    ? 0
    : structure.containers * CONTAINER_BYTES + structure.fields * FIELD_BYTES + structure.entries * ENTRY_BYTES;

/** Parsing more takes over a quarter of a second. A response of a provider never needs it. */
const RESPONSE_PARSED_BYTES_MAX = 64 * 1024 * 1024;

/** Parses a provider's JSON. @throws SyntaxError if it is not JSON, RangeError if its values would take more than `parsedBytesMax` */
export function parseResponse(json: Buffer | string, parsedBytesMax = RESPONSE_PARSED_BYTES_MAX): unknown {
  if (
    json.length > LIGHT_BYTES_MAX &&
    parsedBytes(countStructure(Buffer.isBuffer(json) ? json : Buffer.from(json))) > parsedBytesMax
  )
    throw new RangeError('The JSON contains too many values');
  return JSON.parse(json.toString());
}

interface BodySurvey {
  /** Repeated names of an object count once. */
  readonly fields: number;
  /** Whether a field other than the top-level `model` can name models. Only such a body has to be searched. */
  readonly namesModelsInside: boolean;
}

/** Reads the field names only: a few microseconds for 200 KB. A search of the bytes would take hundreds. */
export function surveyOf(json: Readonly<Record<string, unknown>>): BodySurvey {
  const { model } = json;
  let fields = 0;
  let namesInside = typeof model === 'object' && model !== null;
  const open: unknown[] = [];
  for (let at: unknown = json; at !== undefined; at = open.pop()) {
    if (Array.isArray(at)) {
      for (const entry of at) if (typeof entry === 'object' && entry !== null) open.push(entry);
      continue;
    }
    const values = at as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(values)) {
      fields++;
      if (!namesInside && canNameModels(name)) namesInside = values !== json || name !== 'model';
      const value = values[name];
      if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
  return { fields, namesModelsInside: namesInside };
}

/** The last letters of model fields and of nested form fields. Most names end differently. */
const LAST_LETTERS: ReadonlySet<string> = new Set(['l', 's', 't', ']']);

const canNameModels = (name: string): boolean =>
  LAST_LETTERS.has(name.charAt(name.length - 1)) && (namesModels(name) || name.endsWith(']'));
