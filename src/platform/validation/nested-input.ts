import { invalidFields, invalidType, unsupportedParameter, validationError } from '../errors/error-factories.js';
import { isObject } from './check.js';
import { InputRules } from './input-rules.js';

/**
 * Accepts an object without unknown fields. The values are checked later, because some rules need a `context`, such as the stored
 * limit that the body changes.
 * @param path of the object, with a dot at its end; empty for the body
 * @returns a function that returns the valid input, or throws `validation_error` with the paths of the invalid values
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
  const unknown = rules.unknownFields(input).map((name) => path + name);
  if (unknown.length > 0)
    throw invalidFields(unknown.map((param) => ({ param, message: unsupportedParameter(param).message })));
  return (context) => {
    const place = { path, context };
    const found = rules.fieldViolations(input, place);
    const [first = rules.laterViolation(input, place)] = found;
    if (first === null) return input as T;
    const all = found.length === 0 ? [first] : found;
    throw invalidFields(
      all.map(({ field, error }) => ({ param: error.param ?? path + field, message: error.message })),
    );
  };
}
