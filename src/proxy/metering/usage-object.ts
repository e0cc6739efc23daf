import { COLON, COMMA, OPEN_BRACE, QUOTE } from '../../platform/json/bytes.js';
import { jsonIn } from '../../platform/json/parse-json.js';
import { endOfString, endOfValue, skipSpace } from '../../platform/json/json-scan.js';
import { isObject, type JsonObject } from '../../platform/validation/check.js';

/** The rest of a longer object is ignored. Reports have a few hundred bytes. */
const BYTES_MAX = 128 * 1024;

const NO_FIELDS: JsonObject = {};

/**
 * Parses the object at `at`. If the object is truncated, too long or not JSON, only its complete fields are parsed. Never throws.
 * @param end the index after the object, -1 if it does not end
 */
export function usageObjectAt(bytes: Buffer, at: number, end = endOfValue(bytes, at)): JsonObject {
  if (bytes[at] !== OPEN_BRACE) return NO_FIELDS;
  const whole = end !== -1 && end - at <= BYTES_MAX ? jsonIn(bytes.toString('utf8', at, end)) : undefined;
  return isObject(whole) ? whole : completeFields(bytes.subarray(at, at + BYTES_MAX));
}

function completeFields(object: Buffer): JsonObject {
  const fields: [name: string, value: unknown][] = [];
  let at = skipSpace(object, 1);
  while (object[at] === QUOTE) {
    const nameEnd = endOfString(object, at);
    const colon = nameEnd === -1 ? -1 : skipSpace(object, nameEnd);
    if (colon === -1 || object[colon] !== COLON) break;
    const start = skipSpace(object, colon + 1);
    const end = endOfValue(object, start);
    if (end === -1) break;
    const name = jsonIn(object.toString('utf8', at, nameEnd));
    const value = jsonIn(object.toString('utf8', start, end));
    if (typeof name === 'string' && value !== undefined) fields.push([name, value]);
    at = skipSpace(object, end);
    if (object[at] !== COMMA) break;
    at = skipSpace(object, at + 1);
  }
  // Also defines a field named `__proto__`.
  return Object.fromEntries(fields);
}
