import { invalidType, unsupportedParameter, validationError } from '../errors/error-factories.js';
import { isObject } from './check.js';
import { InputRules } from './input-rules.js';

/**
 * Accepts an object without unknown fields. The values are checked later, because some rules need a `context`, such as the stored
 * limit that the body changes.
 * @param path of the object, with a dot at its end; empty for the body
 * @returns a function that returns the valid input, or throws `validation_error` with the path of the first invalid value
 * @throws GatewayError `validation_error`
 */
export function acceptInput<T extends object>(
  Dto: new () => T,
  input: unknown,
  path = '',
): (context?: unknown) => Readonly<T> {
  if (!isObject(input)) {
    const param = path.slice(0, -1);
    throw validationError(param, invalidType(param, 'an object').message);
  }
  const rules = InputRules.of(Dto);
  const unknown = rules.unknownField(input);
  if (unknown !== undefined) throw validationError(path + unknown, unsupportedParameter(path + unknown).message);
  return (context) => {
    const place = { path, context };
    const found = rules.fieldViolation(input, place) ?? rules.laterViolation(input, place);
    if (found !== null) throw validationError(found.error.param ?? path + found.field, found.error.message);
    return input as T;
  };
}
