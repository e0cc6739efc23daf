import type { FormFile } from '../../validation/form-file.js';
import { readTwoWays, type PartHead } from './multipart-part-head.js';

/**
 * A form's model has to be the same for every parser (D29): given once, as text, under a name that nobody reads otherwise, and in
 * no other charset.
 * @param again there was a field of this name before
 * @throws GatewayError `invalid_value`, param `model`
 */
export function refuseOtherReadings({ name, isFile }: PartHead, value: string | FormFile, again: boolean): void {
  const meant = nameAsOthersRead(name);
  if (meant === 'model' || meant === 'models') {
    if (meant !== name) throw readTwoWays(`a field's name could be read as "${meant}"`);
    if (isFile) throw readTwoWays(`"${name}" is a file`);
    if (again) throw readTwoWays(`a second "${name}" could be read instead of the first`);
  }
  if (meant === '_charset_' && value !== 'utf-8' && value !== 'UTF-8') throw readTwoWays('it asks for another charset');
}

/** Some frameworks decode names, trim them, take single quotes for quotes and brackets for a list (`model[]`), or do not heed case. */
const nameAsOthersRead = (name: string): string =>
  name
    .replace(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/^[\s'"]+|[\s'"]+$/g, '')
    .replace(/[[\0].*$/s, '')
    .toLowerCase();
