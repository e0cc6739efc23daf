import { COLON, COMMA, CURLY, OPEN_BRACE, QUOTE } from './bytes.js';
import { endOfString } from './json-scan.js';
import { namesModels } from './named-models.js';

/** Memory that V8 was measured to need for an empty array or object, including its place in its parent and the parser's work. */
const CONTAINER_BYTES = 160;
/** The same for a member of an object. Most of it is a name that no other member has. */
const MEMBER_BYTES = 112;
const ENTRY_BYTES = 16;
/** Shorter bodies take a few megabytes at most, whatever they contain. */
const LIGHT_BYTES_MAX = 65_536;

/** Counts of a JSON text, outside strings. */
interface JsonStructure {
  readonly containers: number;
  /** Repeated names included. */
  readonly members: number;
  /** Commas. */
  readonly entries: number;
  /** False: a string did not end. What follows it was not counted. */
  readonly whole: boolean;
}

/** Native searches skip the strings, so they cost next to nothing. */
export function countStructure(body: Buffer): JsonStructure {
  let containers = 0;
  let members = 0;
  let entries = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      if (end === -1) return { containers, members, entries, whole: false };
      at = end - 1;
    } else if (byte === COMMA) entries++;
    else if (byte === COLON) members++;
    else if ((byte | CURLY) === OPEN_BRACE) containers++;
  }
  return { containers, members, entries, whole: true };
}

/** The structure of a long text; null: the text is short, so its parsed form is small. */
export const structureOf = (body: Buffer): JsonStructure | null =>
  body.length <= LIGHT_BYTES_MAX ? null : countStructure(body);

/** About how many bytes a JSON text takes when it is parsed, in addition to its own. 10 MB of `[],` take half a gigabyte. */
export const parsedBytes = (structure: JsonStructure | null): number =>
  structure === null
    ? 0
    : structure.containers * CONTAINER_BYTES + structure.members * MEMBER_BYTES + structure.entries * ENTRY_BYTES;

/** The members of a parsed body, at any depth. */
interface BodySurvey {
  /** Repeated names of an object count once. */
  readonly members: number;
  /** Whether another member than the top-level `model` has a name like a model. Only such a body has to be searched. */
  readonly namesModelsInside: boolean;
}

/**
 * Reads the names in a parsed body, not its texts. A conversation of 200 KB has some hundred names, so this takes
 * microseconds where a search of its bytes takes hundreds.
 */
export function surveyOf(json: Readonly<Record<string, unknown>>): BodySurvey {
  const { model } = json;
  let members = 0;
  let namesInside = typeof model === 'object' && model !== null;
  const open: unknown[] = [];
  for (let at: unknown = json; at !== undefined; at = open.pop()) {
    if (Array.isArray(at)) {
      for (const entry of at) if (typeof entry === 'object' && entry !== null) open.push(entry);
      continue;
    }
    const values = at as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(values)) {
      members++;
      if (!namesInside && canNameModels(name)) namesInside = values !== json || name !== 'model';
      const value = values[name];
      if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
  return { members, namesModelsInside: namesInside };
}

/** The last letters of the names in named-models.ts, and the bracket of a form field. Most names end otherwise. */
const LAST_LETTERS: ReadonlySet<string> = new Set(['l', 's', 't', ']']);

const canNameModels = (name: string): boolean =>
  LAST_LETTERS.has(name.charAt(name.length - 1)) && (namesModels(name) || name.endsWith(']'));
