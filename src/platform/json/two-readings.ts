import { CLOSE_BRACE, COMMA, CURLY, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './bytes.js';
import { endOfString, stringAt } from './json-scan.js';
import { countFields } from './json-structure.js';
import { CONVERSATIONS, MODEL_FIELDS } from './model-fields.data.js';
import { isVendorTool, namesModels, placeWithin, type Place } from './models-in-body.js';
import {
  isReadOnce,
  READ_ONCE_AT_TOP_LEVEL,
  READ_ONCE_IN_OBJECTS,
  variantOf,
  type ReadOnceFields,
  surveyOf,
  type NameSurvey,
} from './field-names.js';

/** A field whose value two parsers could read differently. */
export interface TwoReadings {
  readonly name: string;
  /** The top-level field that contains it. Null at the top level. */
  readonly within: string | null;
  /** Another name in the body that a parser could read as `name`. Null if `name` is repeated. */
  readonly written: string | null;
}

/** Where names that equal a field except for case are found. `everywhere` includes fields that the gateway does not know. */
export type Spellings = 'none' | 'known-fields' | 'everywhere';

/** Results of earlier searches of the body, which the caller can pass to avoid new ones. */
export interface Counted {
  readonly survey?: Pick<NameSurvey, 'fields' | 'hasVariants'>;
  /** The number of fields in the body, including repeated ones. */
  readonly fields?: number;
}

/**
 * Finds the first field that two parsers could read differently (D29), because its name is repeated, or because another name is equal
 * except for case. Escapes are decoded first. `Rule` and `Checks` explain which names count.
 *
 * A body without repeated names has as many fields as its parsed form, so most bodies cost only this comparison.
 *
 * @param body `JSON.parse` must have accepted it
 */
export function twoReadingsIn(
  body: Buffer,
  json: Readonly<Record<string, unknown>>,
  spellings: Spellings,
  { survey = surveyOf(json), fields = countFields(body) }: Counted = {},
): TwoReadings | null {
  if (fields === survey.fields && (!survey.hasVariants || spellings === 'none')) return null;
  return new Search(body, json, spellings).run();
}

/**
 * Which objects within a top-level field are checked.
 * - `all`: every object.
 * - `tools`: every tool. Objects within a tool are checked only if it is a vendor tool.
 * - `settings`: every object outside of free-form data. Messages have their own checks.
 * - `naming`: only objects that contain model names.
 */
type Rule = 'all' | 'tools' | 'settings' | 'naming';

function ruleOf(field: string): Rule {
  if (field === 'tools') return 'tools';
  if (MODEL_FIELDS.includes(field)) return 'all';
  return isReadOnce(field) ? 'settings' : 'naming';
}

/** Their fields are the names of the client's own data. */
const SCHEMA_FIELDS: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

const NO_FIELDS: ReadOnceFields = new Map();
const TOOL_FIELDS: ReadOnceFields = new Map([['type', 'type']]);
const FIELDS_OF_CONVERSATIONS: ReadOnceFields = new Map([
  ['tools', 'tools'],
  ['tool', 'tool'],
]);
const FIELDS_OF_MESSAGES: ReadOnceFields = new Map([...FIELDS_OF_CONVERSATIONS, ['content', 'content']]);

/** How the names of an object are checked. */
interface Checks {
  /** The fields that another name must not resemble. */
  readonly fields: ReadOnceFields;
  /** Another name must not resemble a model field either. */
  readonly modelFields: boolean;
  /** The names that cannot be repeated. With `naming`, all names, but only in an object that contains model names. */
  readonly once: 'all' | 'content' | 'naming' | 'none';
}

const UNCHECKED: Checks = { fields: NO_FIELDS, modelFields: false, once: 'none' };
const ONLY_REPETITIONS: Checks = { fields: NO_FIELDS, modelFields: false, once: 'all' };
const IN_SETTINGS: Checks = { fields: READ_ONCE_IN_OBJECTS, modelFields: true, once: 'all' };
const IN_CLIENT_TOOL: Checks = { fields: TOOL_FIELDS, modelFields: false, once: 'all' };
const IN_MESSAGE: Checks = { fields: FIELDS_OF_MESSAGES, modelFields: false, once: 'content' };
const IN_CONVERSATION: Checks = { fields: FIELDS_OF_CONVERSATIONS, modelFields: false, once: 'naming' };
const IN_OTHER_FIELD: Checks = { fields: NO_FIELDS, modelFields: true, once: 'naming' };
const ONLY_NAMING: Checks = { fields: NO_FIELDS, modelFields: false, once: 'naming' };

/** A list or object within a top-level field. */
interface Open {
  readonly place: Place;
  readonly isList: boolean;
  /** A list of messages, whose entries are messages. */
  readonly holdsMessages: boolean;
  readonly checks: Checks;
  readonly names: NameSet | null;
  /** The first repeated name. */
  repeated: string | null;
  namesModels: boolean;
}

/** The names of an object. Most objects have few, and a `Set` for each would take five times as long. */
class NameSet {
  private first: string | null = null;
  private few: string[] | null = null;
  private many: Set<string> | null = null;

  /** @returns false if the name is already there */
  add(name: string): boolean {
    if (this.first === null) {
      this.first = name;
      return true;
    }
    if (name === this.first) return false;
    if (this.many !== null) {
      const { size } = this.many;
      return this.many.add(name).size > size;
    }
    this.few ??= [];
    if (this.few.includes(name)) return false;
    if (this.few.push(name) > FEW_NAMES) this.many = new Set(this.few);
    return true;
  }
}

const FEW_NAMES = 8;

/** A tool is in one list. */
const TOOL_DEPTH = 1;

class Search {
  /** The open lists and objects within the current top-level field. A body can open half a million. */
  private readonly open: Open[] = [];
  /** For each top-level field so far, whether it contains model names. */
  private readonly seen = new Map<string, boolean>();
  private field = '';
  private rule: Rule = 'naming';
  /** Whether the current top-level field contains model names. */
  private namesModels = false;
  /** The last name, whose value follows. */
  private next = '';
  /** The index of the current entry, if the top-level field is a list. */
  private entry = 0;

  constructor(
    private readonly body: Buffer,
    private readonly json: Readonly<Record<string, unknown>>,
    private readonly spellings: Spellings,
  ) {}

  run(): TwoReadings | null {
    const { body, open } = this;
    let expectsName = true;
    for (let at = body.indexOf(OPEN_BRACE) + 1; at < body.length; at++) {
      const byte = body[at]!;
      let found: TwoReadings | null = null;
      if (byte === QUOTE) {
        const end = endOfString(body, at);
        if (end === -1) return null;
        if (expectsName) found = open.length === 0 ? this.beginField(at, end) : this.addName(at, end);
        expectsName = false;
        at = end - 1;
      } else if ((byte | CURLY) === OPEN_BRACE) {
        this.enter(byte === OPEN_BRACKET);
        expectsName = byte === OPEN_BRACE;
      } else if ((byte | CURLY) === CLOSE_BRACE) {
        found = open.length === 0 ? this.endField() : this.leave();
      } else if (byte === COMMA) {
        if (open.length === 0) found = this.endField();
        else if (open.length === 1) this.entry++;
        expectsName = open.at(-1)?.isList !== true;
      }
      if (found !== null) return found;
    }
    return null;
  }

  private beginField(at: number, end: number): TwoReadings | null {
    const name = stringAt(this.body, at, end);
    this.field = name;
    this.next = name;
    this.rule = ruleOf(name);
    this.namesModels = namesModels(name);
    this.entry = 0;
    const field = this.variantOf(name, READ_ONCE_AT_TOP_LEVEL, this.everywhere);
    if (field !== null) return { name: field, within: null, written: name };
    return this.seen.has(name) && isReadOnce(name) ? { name, within: null, written: null } : null;
  }

  private get everywhere(): boolean {
    return this.spellings === 'everywhere';
  }

  private variantOf(name: string, fields: ReadOnceFields, modelFields: boolean): string | null {
    return this.spellings === 'none' ? null : variantOf(name, fields, modelFields);
  }

  private endField(): TwoReadings | null {
    const { field } = this;
    const before = this.seen.get(field);
    this.seen.set(field, this.namesModels);
    if (before === undefined || !(before || this.namesModels)) return null;
    return { name: field, within: null, written: null };
  }

  private enter(isList: boolean): void {
    const parent = this.open.at(-1);
    // The entries of a list are at the place of the list.
    const isEntry = parent?.isList === true;
    const place = isEntry ? parent.place : placeWithin(parent?.place ?? this.outermostPlace, this.next, isList);
    const isMessage = !isList && parent?.holdsMessages === true;
    this.open.push({
      place,
      isList,
      holdsMessages: isList && !isEntry && place === 'conversation' && CONVERSATIONS.has(this.next),
      checks: isList ? UNCHECKED : this.checksOf(place, isMessage, !isEntry && SCHEMA_FIELDS.has(this.next)),
      names: isList ? null : new NameSet(),
      repeated: null,
      namesModels: place === 'models' || (!isEntry && place !== 'free' && namesModels(this.next)),
    });
  }

  private get outermostPlace(): Place {
    return this.rule === 'all' || this.rule === 'tools' ? 'strict' : 'settings';
  }

  private checksOf(place: Place, isMessage: boolean, isSchema: boolean): Checks {
    const { rule } = this;
    if (this.isWithinClientTool) return this.open.length === TOOL_DEPTH ? IN_CLIENT_TOOL : UNCHECKED;
    if (place === 'free') return rule === 'all' || rule === 'tools' ? ONLY_REPETITIONS : UNCHECKED;
    if (place === 'conversation') return isMessage ? IN_MESSAGE : IN_CONVERSATION;
    if (rule !== 'naming') return isSchema ? ONLY_REPETITIONS : IN_SETTINGS;
    return this.everywhere && !isSchema ? IN_OTHER_FIELD : ONLY_NAMING;
  }

  /** The gate does not search the client's own tools, because the provider does not run them. */
  private get isWithinClientTool(): boolean {
    const { tools } = this.json;
    return this.rule === 'tools' && this.open.length > 0 && Array.isArray(tools) && !isVendorTool(tools[this.entry]);
  }

  private addName(at: number, end: number): TwoReadings | null {
    const top = this.open.at(-1)!;
    const { checks, place } = top;
    if (checks === UNCHECKED) return null;
    const name = stringAt(this.body, at, end);
    this.next = name;
    const field = this.variantOf(name, checks.fields, checks.modelFields);
    if (field !== null) return { name: field, within: this.field, written: name };
    if (place !== 'conversation' && place !== 'free' && namesModels(name)) top.namesModels = true;
    if (top.names!.add(name)) return null;
    if (checks.once === 'all' || (checks.once === 'content' && name === 'content'))
      return { name, within: this.field, written: null };
    top.repeated ??= name;
    return null;
  }

  /** Reports a repeated name in the closed list or object, if it contains model names. */
  private leave(): TwoReadings | null {
    const { namesModels, repeated } = this.open.pop()!;
    if (!namesModels) return null;
    const parent = this.open.at(-1);
    if (parent === undefined) this.namesModels = true;
    else parent.namesModels = true;
    return repeated === null ? null : { name: repeated, within: this.field, written: null };
  }
}
