import { invalidValue } from '../../errors/catalogue.js';
import { FALLBACKS, namesModels } from '../../json/named-models.js';
import { parameterName, percentDecoded } from '../../routes/parameter-name.rules.js';
import type { FormFile } from '../../validation/form-kinds.js';
import { readTwoWays, type PartHead } from './multipart-headers.js';

/** Form fields and query parameters by which some providers choose the model. */
const CHOOSING_NAMES: ReadonlySet<string> = new Set(['model', 'models', ...FALLBACKS]);

/** Finds the last part of a nested field name (`svg[model]`), even in a loose notation. */
const MEMBER_NAME = /[[.]\W*(\w+)\W*$/;
const STRICT_MEMBER = /^\w+(?:\[\w+\])*\[[a-z_]+\]$/;

/**
 * Refuses a form whose models two parsers could read differently (D29). Each model and fallback must occur once, as UTF-8
 * text, under an unambiguous name.
 * @param again a field with this name came before
 * @throws GatewayError `invalid_value`, param `model`
 */
export function refuseOtherReadings({ name, isFile }: PartHead, value: string | FormFile, again: boolean): void {
  const meant = lenientName(name);
  if (CHOOSING_NAMES.has(meant)) {
    if (meant !== name) throw readTwoWays(`a field name could be read as "${meant}"`, `Rename it to "${meant}"`);
    if (isFile) throw readTwoWays(`"${name}" is a file`, 'Send it as text, without a filename');
    if (again) throw readTwoWays(`"${name}" occurs twice`, 'Send it once');
  }
  const member = MEMBER_NAME.exec(percentDecoded(name))?.[1];
  if (member !== undefined && namesModels(member.toLowerCase())) {
    if (!STRICT_MEMBER.test(name))
      throw readTwoWays(`a field name could be read as "[${member}]"`, `End it with "[${member}]"`);
    if (isFile || again) throw readTwoWays(`"${name}" is a file or occurs twice`, 'Send it once, as text');
  }
  if (meant === '_charset_' && value !== 'utf-8' && value !== 'UTF-8')
    throw readTwoWays('its _charset_ is not UTF-8', 'Send the form in UTF-8');
}

/**
 * Refuses a query that names a model or fallbacks, because a provider could use it instead of the body (D29).
 * @throws GatewayError `invalid_value`, param `model`
 */
export function refuseModelInQuery(target: string): void {
  const at = target.indexOf('?');
  if (at === -1) return;
  for (const parameter of target.slice(at + 1).split(/[&;]/)) {
    if (CHOOSING_NAMES.has(lenientName(parameterName(parameter))))
      throw invalidValue('model', 'specified in the body, not in the query string');
  }
}

/** From the first word character to the last, in time linear in the length. */
const TRIMMED = /\w.*\w|\w/s;

/**
 * Returns a field or parameter name as the most lenient parser would read it (D29). Some frameworks decode names, trim spaces,
 * NULs and single quotes, cut names at a NUL, treat brackets as a list (`model[]`), or ignore case.
 */
function lenientName(name: string): string {
  const trimmed = TRIMMED.exec(percentDecoded(name))?.[0] ?? '';
  return trimmed.replace(/[[\0].*$/s, '').toLowerCase();
}
