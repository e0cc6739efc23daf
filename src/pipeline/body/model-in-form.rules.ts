import { ambiguousForm } from '../../errors/catalogue.js';
import type { FormFile } from '../../validation/form-file.js';
import type { PartHead } from './multipart-part-head.js';
import { CHOOSING_NAMES, nameAsOthersRead } from './name-as-others-read.rules.js';

/**
 * Every parser has to read the same model and fallbacks (D29). So each is given once, as text, in UTF-8, under a name that
 * has one reading.
 * @param again there was a field of this name before
 * @throws GatewayError `invalid_value`, param `model`
 */
export function refuseOtherReadings({ name, isFile }: PartHead, value: string | FormFile, again: boolean): void {
  const meant = nameAsOthersRead(name);
  if (CHOOSING_NAMES.has(meant)) {
    if (meant !== name) throw ambiguousForm(`a field's name can be read as "${meant}"`, `Name it "${meant}"`);
    if (isFile) throw ambiguousForm(`"${name}" is a file`, 'Send it as text, without a filename');
    if (again) throw ambiguousForm(`a second "${name}" can be read instead of the first`, 'Send it once');
  }
  if (meant === '_charset_' && value !== 'utf-8' && value !== 'UTF-8')
    throw ambiguousForm('its field "_charset_" asks for another charset', 'Send the form in UTF-8');
}
