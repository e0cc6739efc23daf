import { isJsonObject, type JsonObject } from './json-object.js';
import { invalidType, invalidValue, missingParameter } from './vendor-error.js';

/** @throws VendorError 400 if the field is missing, null or of another type */
export function requiredString(body: JsonObject, name: string): string {
  const value = optionalString(body, name);

  if (value === null) throw missingParameter(name);
  return value;
}

export function optionalString(body: JsonObject, name: string): string | null {
  const value = body[name] ?? null;

  if (value !== null && typeof value !== 'string') throw invalidType(name, 'a string');
  return value;
}

/** Returns a whole number of at least 1, or null if the field is missing. */
export function optionalCount(body: JsonObject, name: string, max = Infinity): number | null {
  const value = body[name] ?? null;

  if (value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw invalidType(name, 'an integer');
  if (value < 1) throw invalidValue(name, 'it must be at least 1');
  if (value > max) throw invalidValue(name, `it must be at most ${max}`);
  return value;
}

export function optionalOneOf<Value extends string>(
  body: JsonObject,
  name: string,
  allowed: readonly Value[],
): Value | null {
  const value = optionalString(body, name);
  const known = allowed.find((one) => one === value);

  if (value !== null && known === undefined) throw invalidValue(name, `use one of ${allowed.join(', ')}`);
  return known ?? null;
}

export function objectOr(value: unknown, otherwise: JsonObject): JsonObject {
  return isJsonObject(value) ? value : otherwise;
}

export function arrayOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
