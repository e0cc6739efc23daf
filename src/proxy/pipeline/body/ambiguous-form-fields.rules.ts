import { invalidForm, invalidValue } from '../../../platform/errors/error-factories.js';
import { foldedName, READ_ONCE_AT_TOP_LEVEL } from '../../../platform/json/field-names.js';
import { FALLBACKS, MODEL_FIELDS, NESTING_FIELDS } from '../../../platform/json/model-fields.data.js';
import { namesModels } from '../../../platform/json/models-in-body.js';
import { percentDecodedBytes } from '../../../platform/routes/parameter-name.rules.js';
import type { FormFile } from '../../../platform/validation/form-kinds.js';
import { ambiguousForm, type PartHead } from './multipart-headers.js';

/**
 * Rejects a form in which two parsers could read different values of a field that decides what runs, or what it costs (D29).
 * @param isRepeated an earlier part has the same name
 * @throws GatewayError `invalid_value`
 */
export function rejectOtherReadings(part: PartHead, value: string | FormFile, isRepeated: boolean): void {
  const { name } = part;
  const meant = lenientName(name);
  if (MODEL_NAMES.has(meant)) requireOnePlainText(part, meant, isRepeated);
  rejectNestedModel(part, isRepeated);
  rejectOtherSpelling(name, meant, isRepeated);
  if (OBJECTS.has(meant) && typeof value === 'string' && JSON_TEXT.test(value))
    throw ambiguousForm(`"${name}" contains JSON`, `Send its fields as "${meant}[FIELD]"`);
  if (meant === '_charset_' && value !== 'utf-8' && value !== 'UTF-8')
    throw ambiguousForm('its _charset_ is not UTF-8', 'Send the form in UTF-8');
}

/** Rejects a query that names a model, because a provider could use it instead of the body's (D29). */
export function rejectModelInQuery(target: string): void {
  const at = target.indexOf('?');
  if (at === -1) return;
  for (const parameter of target.slice(at + 1).split(/[&;]/)) {
    // A provider behind another proxy could decode the name twice.
    if (MODEL_NAMES.has(lenientName(decodedName(parameter.split('=', 1)[0]!))))
      throw invalidValue('model', 'specified in the body, not in the query string');
  }
}

const MODEL_NAMES: ReadonlySet<string> = new Set(['model', 'models', ...FALLBACKS]);

function requireOnePlainText({ name, isFile }: PartHead, meant: string, isRepeated: boolean): void {
  if (meant !== name) throw ambiguousForm(`a field name could be read as "${meant}"`, `Rename it to "${meant}"`);
  if (isFile) throw ambiguousForm(`"${name}" is a file`, 'Send it as text, without a filename');
  if (isRepeated) throw ambiguousForm(`"${name}" occurs twice`, 'Send it once');
}

/** Separates the parts of a nested field name: `svg[model]`, `svg.model`. */
const SEPARATORS = /[[\].]+/;
const STRICT_NESTED_NAME = /^\w+(?:\[\w+\])*\[[a-z_]+\]$/;

function rejectNestedModel({ name, isFile }: PartHead, isRepeated: boolean): void {
  const [, ...parts] = decodedName(name).split(SEPARATORS);
  const inner = parts.map(lenientName).find(namesModels);
  if (inner === undefined) return;
  if (!STRICT_NESTED_NAME.test(name) || !name.endsWith(`[${inner}]`))
    throw ambiguousForm(`a field name could be read as "[${inner}]"`, `End it with "[${inner}]"`);
  if (isFile || isRepeated) throw ambiguousForm(`"${name}" is a file or occurs twice`, 'Send it once, as text');
}

/** @param meant the name as the most lenient parser would read it, without brackets */
function rejectOtherSpelling(name: string, meant: string, isRepeated: boolean): void {
  const field = READ_ONCE_AT_TOP_LEVEL.get(meant);
  if (field === undefined || MODEL_NAMES.has(field)) return;
  const bracket = name.indexOf('[');
  const isNested = bracket !== -1 && !name.endsWith('[]');
  if (name !== field && !(isNested && name.slice(0, bracket) === field))
    throw invalidForm(`a field name could be read as "${field}"`, `Rename it to "${field}"`, field);
  if (isRepeated) throw invalidForm(`"${name}" occurs twice`, 'Send it once', field);
}

/** Objects whose fields a form sends as `svg[model]`. A provider could also read them from JSON text, which the gate does not search. */
const OBJECTS: ReadonlySet<string> = new Set([...MODEL_FIELDS, ...NESTING_FIELDS].filter((name) => name !== 'input'));
const JSON_TEXT = /^\s*[[{]/;

/** Matches from the first to the last word character, in linear time. `foldedName` explains the other letters. */
const TRIMMED = /[\wſıİ\u212a].*[\wſıİ\u212a]|[\wſıİ\u212a]/s;

/**
 * Returns a name as the most lenient parser would read it (D29). Some frameworks decode names, trim spaces, NULs and single
 * quotes, truncate names at a NUL, treat brackets as a list (`model[]`), or ignore case.
 */
function lenientName(name: string): string {
  const trimmed = TRIMMED.exec(decodedName(name))?.[0] ?? '';
  return foldedName(trimmed.replace(/[[\0].*$/s, ''));
}

/** Also decodes UTF-8. `percentDecodedBytes` decodes each byte. */
const decodedName = (name: string): string =>
  name.includes('%')
    ? Buffer.from(percentDecodedBytes(Buffer.from(name).toString('latin1')), 'latin1').toString()
    : name;
