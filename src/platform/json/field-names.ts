import { MODEL_FIELDS, NESTING_FIELDS } from './model-fields.data.js';
import { namesModels } from './models-in-body.js';
import { READ_ONCE, READ_ONCE_INSIDE } from './read-once.data.js';

export interface NameSurvey {
  /** Repeated names of an object count once. */
  readonly fields: number;
  /** Whether a field other than the top-level `model` can name models. Only such a body has to be searched. */
  readonly namesModelsInside: boolean;
  /** Whether another parser could read a name as a different one (D29). Only such a body has to be searched for it. */
  readonly hasVariants: boolean;
}

/** Reads the field names only: a few microseconds for 200 KB. A search of the bytes would take hundreds. */
export function surveyOf(json: Readonly<Record<string, unknown>>): NameSurvey {
  const { model } = json;
  let fields = 0;
  let namesInside = typeof model === 'object' && model !== null;
  let hasVariants = false;
  const open: unknown[] = [];
  for (let at: unknown = json; at !== undefined; at = open.pop()) {
    if (Array.isArray(at)) {
      const entries = at as unknown[];
      // `for…of` takes four times as long for millions of numbers.
      for (let i = 0; i < entries.length; i++) {
        const entry = entries[i];
        if (typeof entry === 'object' && entry !== null) open.push(entry);
      }
      continue;
    }
    const values = at as Readonly<Record<string, unknown>>;
    // Unlike `Object.keys`, this creates no array. Parsed objects inherit no enumerable property.
    for (const name in values) {
      fields++;
      if (!isOrdinary(name)) {
        if (!namesInside && canNameModels(name)) namesInside = values !== json || name !== 'model';
        if (!hasVariants && couldBeReadAsAnother(name)) hasVariants = true;
      }
      const value = values[name];
      if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
  return { fields, namesModelsInside: namesInside, hasVariants };
}

/** Names that repeat in most bodies (`role`, `type`). V8 compares the names of parsed objects by their address. */
const ordinary: (string | undefined)[] = new Array<undefined>(256);
const ORDINARY_LENGTH_MAX = 64;

/** Whether a name neither names models nor could be read as another one. Takes a third of the time of these checks. */
function isOrdinary(name: string): boolean {
  const slot = (name.length * 31 + name.charCodeAt(0) * 7 + name.charCodeAt(name.length - 1)) & 0xff;
  if (ordinary[slot] === name) return true;
  if (canNameModels(name) || couldBeReadAsAnother(name)) return false;
  if (name.length <= ORDINARY_LENGTH_MAX) ordinary[slot] = name;
  return true;
}

/** The last letters of model fields and of nested form fields, by character code. Most names end differently. */
const LAST_LETTERS: readonly boolean[] = Array.from({ length: 0x80 }, (_, code) =>
  'lst]'.includes(String.fromCharCode(code)),
);

/** Whether a field can name models, or is a form field inside an object. Faster than `namesModels` for most names. */
const canNameModels = (name: string): boolean =>
  LAST_LETTERS[name.charCodeAt(name.length - 1)] === true && (namesModels(name) || name.endsWith(']'));

/** The fields of one level, by their folded names. */
export type ReadOnceFields = ReadonlyMap<string, string>;

/**
 * Returns the field as which another parser could read `name`. Null if no parser reads `name` as a different field.
 * @param modelFields also finds other spellings of names that end like a model field, such as `_model`
 */
export function variantOf(name: string, fields: ReadOnceFields, modelFields: boolean): string | null {
  const folded = foldedName(name);
  const field = fields.get(folded);
  if (field !== undefined) return field === name ? null : field;
  return modelFields && canNameModels(folded) && namesModels(folded) && !namesModels(name) ? folded : null;
}

/**
 * Returns a name as the most tolerant parser reads it. Parsers of Go and .NET ignore case, and those of C end a text at a NUL. Go also
 * equates `ſ` with `s` and the Kelvin sign with `k`, and Java `ı` and `İ` with `i`.
 */
export function foldedName(name: string): string {
  const letters = lettersOf(name);
  if (letters === 'plain') return name;
  const lower = name.toLowerCase();
  if (letters === 'capitals') return lower;
  return lower.replace(OTHER_LETTERS, (letter) => (letter === 'ſ' ? 's' : 'i')).replace(AFTER_NUL, '');
}

/** `ſ` and `ı` have no other lower case, and `İ` becomes two characters. */
const OTHER_LETTERS = /[ſı]|i\u0307/g;
const AFTER_NUL = /\0.*$/s;

const SPACE = 0x20;
const UPPER_A = 0x41;
const UPPER_Z = 0x5a;
const TILDE = 0x7e;

/** Whether a name has capitals, or characters other than printable ASCII. */
function lettersOf(name: string): 'plain' | 'capitals' | 'others' {
  let letters: 'plain' | 'capitals' = 'plain';
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code < SPACE || code > TILDE) return 'others';
    if (code >= UPPER_A && code <= UPPER_Z) letters = 'capitals';
  }
  return letters;
}

const AT_TOP_LEVEL: ReadonlySet<string> = new Set([
  'model',
  ...MODEL_FIELDS,
  ...NESTING_FIELDS,
  ...Object.values(READ_ONCE).flat(),
]);

const byFoldedName = (names: Iterable<string>): ReadOnceFields =>
  new Map([...names].map((name) => [foldedName(name), name]));

export const READ_ONCE_AT_TOP_LEVEL: ReadOnceFields = byFoldedName(AT_TOP_LEVEL);
export const READ_ONCE_IN_OBJECTS: ReadOnceFields = byFoldedName([...AT_TOP_LEVEL, ...READ_ONCE_INSIDE]);

/** Whether a top-level field decides what a request runs, costs, or is limited to. */
export const isReadOnce = (name: string): boolean => AT_TOP_LEVEL.has(name);

/** Names in lower case that differ from their field only by case, because the field has capitals (`providerOptions`). */
const WITHOUT_CAPITALS: ReadonlySet<string> = new Set(
  [...READ_ONCE_AT_TOP_LEVEL.keys()].filter((folded) => !AT_TOP_LEVEL.has(folded)),
);

/** Whether `variantOf` finds a field at any level. Takes nanoseconds for a name in lower case. */
const couldBeReadAsAnother = (name: string): boolean =>
  (lettersOf(name) !== 'plain' || WITHOUT_CAPITALS.has(name)) && variantOf(name, READ_ONCE_IN_OBJECTS, true) !== null;
