import { canNameModels, MODEL_FIELDS, namesModels, NESTING_FIELDS } from './named-models.js';
import { READ_ONCE, READ_ONCE_INSIDE } from './read-once.data.js';

/** The fields of one level, by their folded names. */
export type ReadOnceFields = ReadonlyMap<string, string>;

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

/** `ſ` and `ı` have no other lower case, and `İ` becomes two characters. */
const OTHER_LETTERS = /[ſı]|i\u0307/g;
const AFTER_NUL = /\0.*$/s;

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

/** Names in lower case that differ from their field only by case, because the field has capitals (`providerOptions`). */
const WITHOUT_CAPITALS: ReadonlySet<string> = new Set(
  [...READ_ONCE_AT_TOP_LEVEL.keys()].filter((folded) => !AT_TOP_LEVEL.has(folded)),
);

/** Whether `variantOf` finds a field at any level. Takes nanoseconds for a name in lower case. */
export const couldBeReadAsAnother = (name: string): boolean =>
  (lettersOf(name) !== 'plain' || WITHOUT_CAPITALS.has(name)) && variantOf(name, READ_ONCE_IN_OBJECTS, true) !== null;
