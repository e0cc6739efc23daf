import { endOfString, stringAt } from '../../validation/json-string.js';
import { isFallback, NAMING_MEMBERS, namesModels } from '../../validation/named-models.js';
import { topLevelMembers } from '../../validation/top-level-members.js';

const MODEL = Buffer.from('"model');
const TOOLS = Buffer.from('"tools"');
/** Any letter of `model`, and of `tools` with the second, written as an escape. */
const ESCAPED_LETTER = Buffer.from('\\u006');
const ESCAPED_LATER_LETTER = Buffer.from('\\u007');

const NAMES: ReadonlySet<string> = new Set(['model', 'models', ...NAMING_MEMBERS]);
const NAMING: ReadonlySet<string> = new Set(NAMING_MEMBERS);

/**
 * The first name by which a JSON object that JSON.parse has read as `json` names models twice, also written with escapes:
 * two parsers would read such a body differently (D29). That is a top-level `model`, `models` or one of `NAMING_MEMBERS`, or
 * any name of models, of fallbacks any name, in one object inside of these.
 * Walked only where that can be; most bodies pay two searches.
 */
export function repeatedModelMember(body: Buffer, json: Readonly<Record<string, unknown>>): string | null {
  if (!mayRepeat(body, json)) return null;
  const seen = new Set<string>();
  for (const { name, start, end } of topLevelMembers(body)) {
    if (!NAMES.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
    const inside = NAMING.has(name)
      ? repeatedWithin(body.subarray(start, end), isFallback(name) ? () => true : namesModels)
      : null;
    if (inside !== null) return inside;
  }
  return null;
}

function mayRepeat(body: Buffer, json: Readonly<Record<string, unknown>>): boolean {
  if (NAMING_MEMBERS.some((name) => name !== 'tools' && json[name] !== undefined)) return true;
  if (standsTwice(body, MODEL) || body.includes(ESCAPED_LETTER)) return true;
  return json['tools'] !== undefined && (standsTwice(body, TOOLS) || body.includes(ESCAPED_LATER_LETTER));
}

function standsTwice(body: Buffer, text: Buffer): boolean {
  const first = body.indexOf(text);
  return first >= 0 && body.includes(text, first + 1);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;

/** The first name that `counts` and stands twice in one object of this JSON text, at any depth. */
function repeatedWithin(json: Buffer, counts: (name: string) => boolean): string | null {
  /** What is open: an array (false), an object (true), or the names that count in one. */
  const open: (boolean | Set<string>)[] = [];
  let nameComes = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfString(json, at);
      const name = nameComes ? stringAt(json, at, end) : null;
      if (name !== null && counts(name)) {
        const names = open.at(-1);
        if (!(names instanceof Set)) open[open.length - 1] = new Set([name]);
        else if (names.has(name)) return name;
        else names.add(name);
      }
      nameComes = false;
      at = end - 1;
    } else if (byte === OPEN_OBJECT) nameComes = open.push(true) > 0;
    else if (byte === OPEN_ARRAY) open.push(false);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) open.pop();
    else if (byte === COMMA) nameComes = open.at(-1) !== false;
  }
  return null;
}
