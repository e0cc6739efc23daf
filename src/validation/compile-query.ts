import { invalidValue, unsupportedParameter, validationError } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { readMetadata, type Dto } from './dto-metadata.js';
import type { QueryRule } from './query-fields.js';
import { firstOf } from './rules.decorator.js';

interface QueryOptions {
  /** Parameters that the class does not name (D16: refused). */
  readonly unknownParameters: 'pass' | 'refuse';
  /** One code for every violation; without it `invalid_value`, as on /v1. */
  readonly code?: 'validation_error';
}

const ADMIN: QueryOptions = { unknownParameters: 'refuse', code: 'validation_error' };

/**
 * A reader of query strings, made once at start: raw parameters → an instance of `Dto` with numbers, flags, times and
 * defaults in place. A parameter left out without default is undefined. Throws the first violation in the order of the
 * class, with its `param`: a wrong value, a repeated parameter, then an unknown one, then the rules of the class.
 */
export function compileQuery<T extends object>(
  Dto: Dto<T>,
  { unknownParameters, code }: QueryOptions = ADMIN,
): (raw: Readonly<Record<string, unknown>>) => T {
  const { fields, rules } = readMetadata<QueryRule>(Dto);
  const known = new Set(fields.map(({ name }) => name));
  const refuse = (violation: GatewayError): never => {
    throw code === undefined ? violation : validationError(violation.param, violation.message);
  };
  return (raw) => {
    const query = new Dto();
    for (const field of fields)
      Reflect.set(
        query,
        field.name,
        valueOf(field, Object.hasOwn(raw, field.name) ? raw[field.name] : undefined, refuse),
      );
    const unknown = unknownParameters === 'refuse' ? Object.keys(raw).find((name) => !known.has(name)) : undefined;
    if (unknown !== undefined) refuse(unsupportedParameter(unknown));
    const violation = firstOf(rules, query, { lenient: false });
    return violation === null ? query : refuse(violation);
  };
}

function valueOf(field: QueryRule, given: unknown, refuse: (violation: GatewayError) => never): unknown {
  if (given === undefined) return field.byDefault;
  if (typeof given !== 'string') return refuse(invalidValue(field.name, 'given once'));
  const value = field.parse(given);
  return value === undefined ? refuse(invalidValue(field.name, field.expected)) : value;
}
