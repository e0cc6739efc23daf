import { endOfString, stringAt } from '../../validation/json-string.js';
import { isOfVendor, NAMING_MEMBERS } from '../../validation/named-models.js';
import { topLevelMembers } from '../../validation/top-level-members.js';

const MODEL = Buffer.from('"model');
const TOOLS = Buffer.from('"tools"');
/** Any letter of `model`, and of `tools` with the second, written as an escape. */
const ESCAPED_LETTER = Buffer.from('\\u006');
const ESCAPED_LATER_LETTER = Buffer.from('\\u007');

const NAMES: ReadonlySet<string> = new Set(['model', ...NAMING_MEMBERS]);

/** A member that stands twice in one object. */
interface Repetition {
  readonly name: string;
  /** The top-level member in which that object stands; null: it is the body itself. */
  readonly within: string | null;
}

/**
 * The first member of a JSON object that JSON.parse has read as `json` that stands twice where models are named, also
 * written with escapes: two parsers would read such a body differently (D29). That is a top-level `model` or one of
 * `NAMING_MEMBERS`, or any name in one object inside of these; of the client's own tools those of the tool itself, for its
 * `type` decides what it is.
 * Walked only where that can be: most bodies pay two searches, those with tools two more and a walk through these.
 */
export function repeatedModelMember(body: Buffer, json: Readonly<Record<string, unknown>>): Repetition | null {
  const { tools } = json;
  const asksModels = NAMING_MEMBERS.some((name) => name !== 'tools' && json[name] !== undefined);
  if (asksModels || standsTwice(body, MODEL) || body.includes(ESCAPED_LETTER)) return repeatedAnywhere(body, json);
  if (tools === undefined) return null;
  const at = body.indexOf(TOOLS);
  if (body.includes(TOOLS, at + 1) || body.includes(ESCAPED_LATER_LETTER)) return repeatedAnywhere(body, json);
  return repeatedWithin('tools', body.subarray(at + TOOLS.length), tools);
}

function standsTwice(body: Buffer, text: Buffer): boolean {
  const first = body.indexOf(text);
  return first >= 0 && body.includes(text, first + 1);
}

function repeatedAnywhere(body: Buffer, json: Readonly<Record<string, unknown>>): Repetition | null {
  const seen = new Set<string>();
  for (const { name, start, end } of topLevelMembers(body)) {
    if (!NAMES.has(name)) continue;
    if (seen.has(name)) return { name, within: null };
    seen.add(name);
    const inside = name === 'model' ? null : repeatedWithin(name, body.subarray(start, end), json[name]);
    if (inside !== null) return inside;
  }
  return null;
}

function repeatedWithin(member: string, text: Buffer, value: unknown): Repetition | null {
  if (typeof value !== 'object' || value === null) return null;
  const name =
    member === 'tools' && Array.isArray(value)
      ? repeatedName(text, (depth, entry) => depth === TOOL_DEPTH || isOfVendor(value[entry]))
      : repeatedName(text, () => true);
  return name === null ? null : { name, within: member };
}

/** Of an entry of an array, itself an object. */
const TOOL_DEPTH = 2;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;

/**
 * The first name that stands twice in one object of the JSON value with which `json` begins, at any depth, where `counts`.
 * @param counts whether names are compared in an object: how many are open with it, and the index of the outermost's entry
 */
function repeatedName(json: Buffer, counts: (depth: number, entry: number) => boolean): string | null {
  /** What is open: an array (false), an object (true), or the names that were found in one. */
  const open: (boolean | Set<string>)[] = [];
  let entry = 0;
  let nameComes = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfString(json, at);
      if (nameComes && counts(open.length, entry)) {
        const name = stringAt(json, at, end);
        const names = open.at(-1);
        if (!(names instanceof Set)) open[open.length - 1] = new Set([name]);
        else if (names.has(name)) return name;
        else names.add(name);
      }
      nameComes = false;
      at = end - 1;
    } else if (byte === OPEN_OBJECT) nameComes = open.push(true) > 0;
    else if (byte === OPEN_ARRAY) open.push(false);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      open.pop();
      if (open.length === 0) return null;
    } else if (byte === COMMA) {
      if (open.length === 1) entry++;
      nameComes = open.at(-1) !== false;
    }
  }
  return null;
}
