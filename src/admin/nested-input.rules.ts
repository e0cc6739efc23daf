import { parseDollars, PRICE_DECIMALS_MAX } from '../costs/pricing/price-text.rules.js';
import {
  invalidInput,
  invalidType,
  missingRequiredParameter,
  unsupportedParameter,
  validationError,
} from '../platform/errors/error-factories.js';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import { isObject, type JsonObject } from '../platform/validation/check.js';
import { hasLength, LINE, lineExpected } from '../platform/validation/characters.js';

/*
 * Readers of nested operator input, which `InputPipe` does not check. They throw `validation_error` with the path of the value.
 */

export const wrongType = (param: string, expected: string): GatewayError =>
  validationError(param, invalidType(param, expected).message);

interface DollarsMax {
  readonly max: bigint;
  readonly maxText: string;
}

/** Refuses unknown fields. @param path of the object, with a dot at its end; empty for the body */
export function readObject(value: unknown, path: string, fields: readonly string[]): JsonObject {
  if (!isObject(value)) throw wrongType(path.slice(0, -1), 'an object');
  for (const name of Object.keys(value))
    if (!fields.includes(name)) throw validationError(path + name, unsupportedParameter(path + name).message);
  return value;
}

export function readArray(value: unknown, param: string, min: number, max: number): readonly unknown[] {
  if (value === undefined) throw validationError(param, missingRequiredParameter(param).message);
  if (!Array.isArray(value)) throw wrongType(param, 'an array');
  if (value.length < min || value.length > max) throw invalidInput(param, `an array of ${min} to ${max} entries`);
  return value;
}

export function readText(value: unknown, param: string, lengthMax: number): string {
  if (value === undefined) throw validationError(param, missingRequiredParameter(param).message);
  if (typeof value !== 'string') throw wrongType(param, 'a string');
  if (!hasLength(value, 1, lengthMax)) throw invalidInput(param, `a string of 1 to ${lengthMax} characters`);
  if (value.includes('\0') || !value.isWellFormed())
    throw invalidInput(param, 'text without the character U+0000 and without unpaired surrogates');
  return value;
}

/** Reads a name or a pattern. */
export function readLine(value: unknown, param: string, lengthMax: number): string {
  const text = readText(value, param, lengthMax);
  if (!LINE.test(text)) throw invalidInput(param, lineExpected(lengthMax));
  return text;
}

/** Reads a price in dollars. @returns nano-dollars */
export const readAmount = (value: unknown, param: string): number =>
  Number(readDollars(value, param, { max: BigInt(Number.MAX_SAFE_INTEGER), maxText: '9007199.25474' }));

/** @param limit the maximum in nano-dollars, and as the text of the error message. @returns nano-dollars */
export function readDollars(value: unknown, param: string, { max, maxText }: DollarsMax): bigint {
  if (typeof value !== 'string') throw wrongType(param, `a string with a decimal number, such as "2.50"`);
  const nanos = parseDollars(value);
  if (nanos !== null && nanos <= max) return nanos;
  if (/^-\d/.test(value)) throw invalidInput(param, 'at least 0');
  const decimals = /^\d+\.(\d+)$/.exec(value)?.[1] ?? '';
  if (decimals.length > PRICE_DECIMALS_MAX)
    throw invalidInput(param, `a decimal number with at most ${PRICE_DECIMALS_MAX} decimals`);
  if (/^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value)) throw invalidInput(param, `at most ${maxText}`);
  throw invalidInput(param, `a decimal number of dollars without sign, exponent or spaces, such as "2.50"`);
}
