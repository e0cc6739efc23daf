import { percentDecoded } from '../../routes/parameter-name.rules.js';
import type { FormFile } from '../../validation/form-kinds.js';
import { namesModels } from '../../json/named-models.js';
import { readTwoWays, type PartHead } from './multipart-part-head.js';
import { CHOOSING_NAMES, lenientName } from './lenient-names.rules.js';

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
