import { invalidValue } from '../../errors/catalogue.js';
import { FALLBACKS, namesModels } from '../../json/named-models.js';
import { parameterName, percentDecoded } from '../../routes/parameter-name.rules.js';
import type { FormFile } from '../../validation/form-kinds.js';
import { readTwoWays, type PartHead } from './multipart-headers.js';

/** Form fields and query parameters that choose the model, where a provider takes them. */
const CHOOSING_NAMES: ReadonlySet<string> = new Set(['model', 'models', ...FALLBACKS]);

/** The last name of a field that names a member of an object (`svg[model]`), loosely written or not. */
const MEMBER_NAME = /[[.]\W*(\w+)\W*$/;
/** The same, written so that every parser finds the member. */
const STRICT_MEMBER = /^\w+(?:\[\w+\])*\[[a-z_]+\]$/;

/**
 * Refuses a form whose models two parsers could read differently (D29). Each model must be given once, as text, in UTF-8 and
 * under a name that has one reading. The same applies to fallbacks.
 * @param again there was a field of this name before
 * @throws GatewayError `invalid_value`, param `model`
 */
export function refuseOtherReadings({ name, isFile }: PartHead, value: string | FormFile, again: boolean): void {
  const meant = lenientName(name);
  if (CHOOSING_NAMES.has(meant)) {
    if (meant !== name) throw readTwoWays(`a field's name could be read as "${meant}"`, `Name it "${meant}"`);
    if (isFile) throw readTwoWays(`"${name}" is a file`, 'Send it as text, without a filename');
    if (again) throw readTwoWays(`a second "${name}" could be read instead of the first`, 'Send it once');
  }
  const member = MEMBER_NAME.exec(percentDecoded(name))?.[1];
  if (member !== undefined && namesModels(member.toLowerCase())) {
    if (!STRICT_MEMBER.test(name))
      throw readTwoWays(`a field's name could be read as one of a "${member}"`, `End it in "[${member}]"`);
    if (isFile || again) throw readTwoWays(`"${name}" is a file, or given twice`, 'Send it once, as text');
  }
  if (meant === '_charset_' && value !== 'utf-8' && value !== 'UTF-8')
    throw readTwoWays('its _charset_ is not UTF-8', 'Send the form in UTF-8');
}

/**
 * Refuses a query that names a model or fallbacks, because a provider could read those and not the body's (D29).
 * @param target the target of a request whose body names the model
 * @throws GatewayError `invalid_value`, param `model`
 */
export function refuseModelInQuery(target: string): void {
  const at = target.indexOf('?');
  if (at === -1) return;
  for (const parameter of target.slice(at + 1).split(/[&;]/)) {
    if (CHOOSING_NAMES.has(lenientName(parameterName(parameter))))
      throw invalidValue('model', 'given in the body: one in the query could be read instead');
  }
}

/** From the first letter, digit or underscore to the last. Linear in the length of the name. */
const TRIMMED = /\w.*\w|\w/s;

/**
 * The name of a field or parameter as the most lenient parser reads it (D29). Some frameworks decode names, trim spaces, NULs
 * and single quotes, end them at a NUL, treat brackets as a list (`model[]`), or ignore case.
 */
function lenientName(name: string): string {
  const trimmed = TRIMMED.exec(percentDecoded(name))?.[0] ?? '';
  return trimmed.replace(/[[\0].*$/s, '').toLowerCase();
}
