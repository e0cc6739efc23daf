import type { FormFile } from '../../validation/form-file.js';
import { readTwoWays, type PartHead } from './multipart-part-head.js';
import { CHOOSING_NAMES, nameAsOthersRead } from './name-as-others-read.rules.js';

/**
 * A form's model has to be the same for every parser (D29): given once, as text, under a name that nobody reads otherwise, and in
 * no other charset. So have its fallbacks.
 * @param again there was a field of this name before
 * @throws GatewayError `invalid_value`, param `model`
 */
export function refuseOtherReadings({ name, isFile }: PartHead, value: string | FormFile, again: boolean): void {
  const meant = nameAsOthersRead(name);
  if (CHOOSING_NAMES.has(meant)) {
    if (meant !== name) throw readTwoWays(`a field's name could be read as "${meant}"`);
    if (isFile) throw readTwoWays(`"${name}" is a file`);
    if (again) throw readTwoWays(`a second "${name}" could be read instead of the first`);
  }
  if (meant === '_charset_' && value !== 'utf-8' && value !== 'UTF-8') throw readTwoWays('its _charset_ is not UTF-8');
}
