import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './bytes.js';
import { endOfString, stringAt } from './json-scan.js';
import { countStructure, surveyOf } from './json-structure.js';
import { isVendorTool, MODEL_FIELDS, namesModels, placeWithin, type Place } from './named-models.js';
import { topLevelFields, type TopLevelField } from './top-level-fields.js';

interface Repetition {
  readonly name: string;
  /** The top-level field that contains the repetition. Null if the name is repeated at the top level. */
  readonly within: string | null;
}

/**
 * Finds the first repeated field name in an object that names models, because two parsers could read such a body differently
 * (D29). Names are compared with escapes decoded. These repetitions are reported:
 * - At the top level: `model`, `MODEL_FIELDS`, and fields that contain model names.
 * - Within `MODEL_FIELDS`: a name in any object. In a client's own tool, only the names of the tool object itself.
 * - Elsewhere: a name in an object that contains model names.
 *
 * A body without repeated names has as many fields as its parsed form, so most bodies cost only this comparison.
 */
export function repeatedModelField(
  body: Buffer,
  json: Readonly<Record<string, unknown>>,
  parsedFields = surveyOf(json).fields,
  fields = countStructure(body).fields,
): Repetition | null {
  if (fields === parsedFields) return null;
  /** For each field so far, whether it contains model names. */
  const seen = new Map<string, boolean>();
  for (const field of topLevelFields(body)) {
    const { name, start, end } = field;
    const before = seen.get(name);
    if (MODEL_FIELDS.includes(name)) {
      if (before !== undefined) return { name, within: null };
      const repeated = repeatedInNaming(name, body.subarray(start, end), json[name]);
      if (repeated !== null) return repeated;
      seen.set(name, true);
    } else {
      const { namesModel, repeated } = searchField(body, field);
      if (before !== undefined && (before || namesModel)) return { name, within: null };
      if (repeated !== null) return { name: repeated, within: name };
      seen.set(name, namesModel);
    }
  }
  return null;
}

function repeatedInNaming(field: string, text: Buffer, value: unknown): Repetition | null {
  if (typeof value !== 'object' || value === null) return null;
  const name =
    field === 'tools' && Array.isArray(value)
      ? repeatedName(text, (depth, entry) => depth === TOOL_DEPTH || isVendorTool(value[entry]))
      : repeatedName(text, () => true);
  return name === null ? null : { name, within: field };
}

/** Inside an entry of `tools`, the list and the tool are open. */
const TOOL_DEPTH = 2;

/** @param counts whether an object is checked, by the number of open containers and the index of the outermost entry */
function repeatedName(json: Buffer, counts: (depth: number, entry: number) => boolean): string | null {
  /** The open containers: an array (false), or an object (true, or the names found in it). */
  const open: (boolean | Set<string>)[] = [];
  let entry = 0;
  let expectsName = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfString(json, at);
      if (expectsName && counts(open.length, entry)) {
        const name = stringAt(json, at, end);
        const names = open.at(-1);
        if (!(names instanceof Set)) open[open.length - 1] = new Set([name]);
        else if (names.has(name)) return name;
        else names.add(name);
      }
      expectsName = false;
      at = end - 1;
    } else if (byte === OPEN_BRACE) expectsName = open.push(true) > 0;
    else if (byte === OPEN_BRACKET) open.push(false);
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      open.pop();
      if (open.length === 0) return null;
    } else if (byte === COMMA) {
      if (open.length === 1) entry++;
      expectsName = open.at(-1) !== false;
    }
  }
  return null;
}

interface FieldSearch {
  readonly namesModel: boolean;
  readonly repeated: string | null;
}

/** Uses the same places as `modelsInside`. */
function searchField(body: Buffer, { name, start, end }: TopLevelField): FieldSearch {
  const open = new OpenValues(name);
  let expectsName = false;
  for (let at = endOfString(body, start); at < end; at++) {
    const byte = body[at];
    if (byte === QUOTE) {
      const stringEnd = endOfString(body, at);
      if (expectsName) open.name(() => stringAt(body, at, stringEnd));
      expectsName = false;
      at = stringEnd - 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      expectsName = byte === OPEN_BRACE;
      open.push(byte === OPEN_BRACKET);
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      const repeated = open.pop();
      if (repeated !== null) return { namesModel: true, repeated };
    } else if (byte === COMMA) expectsName = open.isObject;
  }
  return { namesModel: open.nameModel, repeated: null };
}

/** The open lists and objects. The arrays are flat, because a body can open a million. */
class OpenValues {
  private readonly places: Place[] = [];
  private readonly names: (Set<string> | null | undefined)[] = [];
  private readonly repeated: (string | null)[] = [];
  /** Whether each container contains model names. The first entry is for the field itself. */
  private readonly naming: boolean[];
  private next: string;

  constructor(field: string) {
    this.next = field;
    this.naming = [namesModels(field)];
  }

  get nameModel(): boolean {
    return this.naming[0]!;
  }

  get isObject(): boolean {
    return this.names.at(-1) !== null;
  }

  push(isList: boolean): void {
    const parent = this.places.at(-1);
    // The entries of a list are at the place of the list.
    const isEntry = this.names.length > 0 && !this.isObject;
    const place = isEntry ? parent! : placeWithin(parent ?? 'settings', this.next, isList);
    this.places.push(place);
    this.names.push(isList ? null : undefined);
    this.repeated.push(null);
    this.naming.push(place === 'models' || (!isEntry && place !== 'free' && namesModels(this.next)));
  }

  name(read: () => string): void {
    const top = this.places.length - 1;
    const place = this.places[top]!;
    if (place === 'free') return;
    const name = (this.next = read());
    if (place !== 'conversation' && namesModels(name)) this.naming[top + 1] = true;
    const names = this.names[top];
    if (names === undefined || names === null) this.names[top] = new Set([name]);
    else if (names.has(name)) this.repeated[top] ??= name;
    else names.add(name);
  }

  /** @returns a repeated name in the closed container, if it contains model names */
  pop(): string | null {
    const isNaming = this.naming.pop()!;
    this.places.pop();
    this.names.pop();
    const repeated = this.repeated.pop()!;
    if (!isNaming) return null;
    this.naming[this.naming.length - 1] = true;
    return repeated;
  }
}
