import { ApiProperty } from '@nestjs/swagger';
import { registerDecorator, type ValidationArguments } from 'class-validator';
import type { Check, JsonObject, Kind, Schema } from './check.js';
import { arrayOf, object, type ListRange, type Fields } from './compound-kinds.js';
import { judgeField, type FieldRule } from './body-rules.js';
import { boolean, integer, number, oneOf, string, type NumberRange, type StringRange } from './scalar-kinds.js';

/**
 * Presence, type, range and OpenAPI schema of a field. Violations are reported in the order of the class, required fields
 * first. The codes (D30) are:
 * - `missing_required_parameter` for an absent field.
 * - `invalid_type` for another JSON type.
 * - `invalid_value` for a value that is not allowed, including a fraction for an integer.
 */
export interface FieldOptions {
  readonly required?: true;
  readonly requiredIf?: FieldRule['requiredIf'];
  /** Allows the field only if other fields have these values: `{stream: true}`. */
  readonly onlyWith?: FieldRule['onlyWith'];
  /**
   * The gateway reads this field, so it is checked even with `GW_VALIDATION=provider`. In that mode, `optional` overrides
   * `required`.
   */
  readonly readByGateway?: FieldRule['readByGateway'];
  readonly description?: string;
  readonly deprecated?: true;
  readonly example?: unknown;
  /** The default in the API description. The gateway does not fill it in. */
  readonly byDefault?: unknown;
}

export const StringField = (options: StringRange & FieldOptions = {}) => Field(string(options), options);
export const NumberField = (options: NumberRange & FieldOptions = {}) => Field(number(options), options);
export const IntegerField = (options: Omit<NumberRange, 'above'> & FieldOptions = {}) =>
  Field(integer(options), options);
export const BooleanField = (options: FieldOptions = {}) => Field(boolean(), options);
export const EnumField = (names: readonly string[], options: FieldOptions = {}) => Field(oneOf(...names), options);
export const ObjectField = (fields: Fields = {}, options: FieldOptions = {}) => Field(object(fields), options);
export const ArrayField = (item: Kind, options: ListRange & FieldOptions = {}) =>
  Field(arrayOf(item, options), options);
export const CheckedField = (check: Check, openapi: Schema, options: FieldOptions = {}) =>
  Field({ check, schema: openapi }, options);

export function Field({ check, schema }: Kind, options: FieldOptions = {}): PropertyDecorator {
  const { required = false, requiredIf, onlyWith, readByGateway } = options;
  return (target, property) => {
    const name = String(property);
    register(target.constructor, { name, check, required, requiredIf, onlyWith, readByGateway });
    ApiProperty({
      ...schema,
      selfRequired: required,
      description: options.description,
      deprecated: options.deprecated,
      example: options.example,
      default: options.byDefault,
    })(target, property);
  };
}

const STRICT = { lenient: false };

/** Lets `validate()` of class-validator agree with the strict mode of `compileRules`. */
function register(target: Function, rule: FieldRule): void {
  const judge = (body: object) => judgeField(rule, body as JsonObject, STRICT);
  registerDecorator({
    name: 'field',
    target,
    propertyName: rule.name,
    constraints: [rule],
    validator: {
      validate: (_value: unknown, args?: ValidationArguments) => args !== undefined && judge(args.object) === null,
      defaultMessage: (args?: ValidationArguments) => (args === undefined ? '' : (judge(args.object)?.message ?? '')),
    },
  });
}
