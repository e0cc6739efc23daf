import { COLON, COMMA, OPEN_BRACE, QUOTE } from '../../platform/json/bytes.js';
import { endOfString, endOfValue, skipSpace } from '../../platform/json/json-scan.js';

/** A parsed object of a provider. Any field can be missing or have any type. */
export type ProviderObject = Readonly<Record<string, unknown>>;

/** The rest of a longer object is ignored. Reports have a few hundred bytes. */
const BYTES_MAX = 128 * 1024;

const NO_FIELDS: ProviderObject = {};

/**
 * Parses the object at `at`. If the object is truncated, too long or not JSON, only its complete fields are parsed. Never throws.
 * @param end the index after the object, -1 if it does not end
 */
export function usageObjectAt(bytes: Buffer, at: number, end = endOfValue(bytes, at)): ProviderObject {
  if (bytes[at] !== OPEN_BRACE) return NO_FIELDS;
  const whole = end !== -1 && end - at <= BYTES_MAX ? parsed(bytes.toString('utf8', at, end)) : undefined;
  return isProviderObject(whole) ? whole : completeFields(bytes.subarray(at, at + BYTES_MAX));
}

export const isProviderObject = (value: unknown): value is ProviderObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function completeFields(object: Buffer): ProviderObject {
  const fields: [name: string, value: unknown][] = [];
  let at = skipSpace(object, 1);
  while (object[at] === QUOTE) {
    const nameEnd = endOfString(object, at);
    const colon = nameEnd === -1 ? -1 : skipSpace(object, nameEnd);
    if (colon === -1 || object[colon] !== COLON) break;
    const start = skipSpace(object, colon + 1);
    const end = endOfValue(object, start);
    if (end === -1) break;
    const name = parsed(object.toString('utf8', at, nameEnd));
    const value = parsed(object.toString('utf8', start, end));
    if (typeof name === 'string' && value !== undefined) fields.push([name, value]);
    at = skipSpace(object, end);
    if (object[at] !== COMMA) break;
    at = skipSpace(object, at + 1);
  }
  // Also defines a field named `__proto__`.
  return Object.fromEntries(fields);
}

/** Returns undefined for text that is not JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
