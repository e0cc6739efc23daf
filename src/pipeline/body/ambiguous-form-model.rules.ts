import { invalidValue } from '../../errors/error-factories.js';
import { FALLBACKS, namesModels } from '../../json/named-models.js';
import { parameterName, percentDecoded } from '../../routes/parameter-name.rules.js';
import type { FormFile } from '../../validation/form-kinds.js';
import { ambiguousForm, type PartHead } from './multipart-headers.js';

const MODEL_NAMES: ReadonlySet<string> = new Set(['model', 'models', ...FALLBACKS]);

/** Finds the last part of a nested field name (`svg[model]`), even in a loose notation. */
const NESTED_NAME = /[[.]\W*(\w+)\W*$/;
const STRICT_NESTED_NAME = /^\w+(?:\[\w+\])*\[[a-z_]+\]$/;

/** Refuses a form whose models two parsers could read differently (D29). */
export function refuseOtherReadings({ name, isFile }: PartHead, value: string | FormFile, isRepeated: boolean): void {
  const meant = lenientName(name);
  if (MODEL_NAMES.has(meant)) {
    if (meant !== name) throw ambiguousForm(`a field name could be read as "${meant}"`, `Rename it to "${meant}"`);
    if (isFile) throw ambiguousForm(`"${name}" is a file`, 'Send it as text, without a filename');
    if (isRepeated) throw ambiguousForm(`"${name}" occurs twice`, 'Send it once');
  }
  const field = NESTED_NAME.exec(percentDecoded(name))?.[1];
  if (field !== undefined && namesModels(field.toLowerCase())) {
    if (!STRICT_NESTED_NAME.test(name))
      throw ambiguousForm(`a field name could be read as "[${field}]"`, `End it with "[${field}]"`);
    if (isFile || isRepeated) throw ambiguousForm(`"${name}" is a file or occurs twice`, 'Send it once, as text');
  }
  if (meant === '_charset_' && value !== 'utf-8' && value !== 'UTF-8')
    throw ambiguousForm('its _charset_ is not UTF-8', 'Send the form in UTF-8');
}

/** Refuses a query that names a model, because a provider could use it instead of the body's (D29). */
export function refuseModelInQuery(target: string): void {
  const at = target.indexOf('?');
  if (at === -1) return;
  for (const parameter of target.slice(at + 1).split(/[&;]/)) {
    if (MODEL_NAMES.has(lenientName(parameterName(parameter))))
      throw invalidValue('model', 'specified in the body, not in the query string');
  }
}

/** Matches from the first to the last word character, in linear time. */
const TRIMMED = /\w.*\w|\w/s;

/**
 * Returns a name as the most lenient parser would read it (D29). Some frameworks decode names, trim spaces, NULs and single
 * quotes, truncate names at a NUL, treat brackets as a list (`model[]`), or ignore case.
 */
function lenientName(name: string): string {
  const trimmed = TRIMMED.exec(percentDecoded(name))?.[0] ?? '';
  return trimmed.replace(/[[\0].*$/s, '').toLowerCase();
}
