import { ApiProperty } from '@nestjs/swagger';
import { registerDecorator, type ValidationArguments } from 'class-validator';
import type { Check, JsonObject, Kind, Schema } from './check.js';
import { arrayOf, object, type ListRange, type Members } from './compound-kinds.js';
import { judgeField, type FieldRule } from './field-rule.js';
import { boolean, integer, number, oneOf, string, type NumberRange, type StringRange } from './scalar-kinds.js';

/**
 * Field decorators: presence, type, range, code and OpenAPI of one member in one line. The order of the fields in the
 * class is the order in which violations are told, required ones first.
 * Codes (D30): left out → `missing_required_parameter`; another JSON type → `invalid_type`; the right type with a value
 * that is not allowed, also a fraction for an integer → `invalid_value`.
 */
export interface FieldOptions {
  readonly required?: true;
  /** The field is required in bodies for which this holds. */
  readonly requiredIf?: FieldRule['requiredIf'];
  /** `{stream: true}`: allowed only beside that member with that value. */
  readonly onlyWith?: FieldRule['onlyWith'];
  /**
   * The gateway itself reads this field, so it is checked even with `GW_VALIDATION=provider`.
   * A field that is `optional` here can be left out then, even if `required` is set.
   */
  readonly readByGateway?: FieldRule['readByGateway'];
  readonly description?: string;
  readonly deprecated?: true;
  readonly example?: unknown;
  /** Shown in the API description; nothing is filled in. */
  readonly byDefault?: unknown;
}

export const StringField = (options: StringRange & FieldOptions = {}) => Field(string(options), options);
export const NumberField = (options: NumberRange & FieldOptions = {}) => Field(number(options), options);
export const IntegerField = (options: Omit<NumberRange, 'above'> & FieldOptions = {}) =>
  Field(integer(options), options);
export const BooleanField = (options: FieldOptions = {}) => Field(boolean(), options);
export const EnumField = (names: readonly string[], options: FieldOptions = {}) => Field(oneOf(...names), options);
export const ObjectField = (members: Members = {}, options: FieldOptions = {}) => Field(object(members), options);
export const ArrayField = (item: Kind, options: ListRange & FieldOptions = {}) =>
  Field(arrayOf(item, options), options);
/** For a check that is no composition of kinds; `openapi` is its JSON schema. */
export const CheckedField = (check: Check, openapi: Schema, options: FieldOptions = {}) =>
  Field({ check, schema: openapi }, options);

/** Any kind, also a composed one. */
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

/** One custom rule of class-validator, so that `validate()` judges a body as `compileRules` does in its strict mode. */
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
