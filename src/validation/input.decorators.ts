import { ApiProperty } from '@nestjs/swagger';
import { getMetadataStorage, ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';
import { hasLength } from './characters.js';
import type { Kind } from './check.js';
import { arrayOf } from './compound-kinds.js';
import { boolean, integer, oneOf, string, timestamp } from './scalar-kinds.js';
import { parseTimestamp } from './timestamp.js';

/*
 * Decorators that class-validator lacks for the input of operators, and what a property's decorators mean together.
 * TypeScript applies decorators from the last to the first, so the last rule of a property is checked first.
 * The `message` of a rule completes "it must be …".
 */

/** A UUID of any version, in either case. The API description shows this pattern; `IsUUID('loose')` checks the same. */
export const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** The field can be left out. Its rules still apply to `null`, which `IsOptional` accepts. */
export const CanBeAbsent = (): PropertyDecorator => ValidateIf((_input, value) => value !== undefined);

/** Bounds in code points, inclusive. class-validator's `Length` does not count variation selectors; the database does. */
export const HasLength = (min: number, max: number, options?: ValidationOptions): PropertyDecorator =>
  textRule('hasLength', (text) => hasLength(text, min, max), options, [min, max]);

/** The database can store the text: it has neither U+0000 nor half a surrogate pair. */
export const IsStorable = (options?: ValidationOptions): PropertyDecorator =>
  textRule('isStorable', (text) => !text.includes('\0') && text.isWellFormed(), options);

/** ISO 8601 as `parseTimestamp` reads it, which checks the calendar. The value stays text. */
export const IsTimestamp = (options?: ValidationOptions): PropertyDecorator =>
  textRule('isTimestamp', (text) => parseTimestamp(text) !== null, options);

function textRule(
  name: string,
  holds: (text: string) => boolean,
  options?: ValidationOptions,
  constraints: readonly number[] = [],
): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && holds(value);
  return ValidateBy({ name, constraints: [...constraints], validator: { validate } }, options);
}

/** For a rule over several fields or items. Its violation is reported only where each field by itself is valid. */
export const AFTER_FIELDS = { context: { afterFields: true } } as const;

/**
 * Compares the property with other properties.
 * @param holds gets the whole input, in which the other properties can be invalid
 * @param expected completes "it must be …"
 */
export const Compared = <T extends object>(holds: (input: T) => boolean, expected: string): PropertyDecorator =>
  ValidateBy(
    { name: 'compared', validator: { validate: (_value, args) => args !== undefined && holds(args.object as T) } },
    { ...AFTER_FIELDS, message: expected },
  );

/** A time that is not after the time in `other`; the same moment is allowed. */
export const IsNotAfter =
  (other: string): PropertyDecorator =>
  (target, property) =>
    Compared<Record<string | symbol, unknown>>((input) => {
      const [start, end] = [input[property], input[other]];
      return typeof start !== 'number' || typeof end !== 'number' || start <= end;
    }, `a time that is not after '${other}'`)(target, property);

interface Shown {
  readonly description?: string;
  readonly example?: unknown;
  /** Only shown: the handler fills it in. */
  readonly default?: unknown;
}

/** Puts a field of a body into the API description, as the class-validator decorators below it check it. */
export const ApiField =
  ({ description, example, default: byDefault }: Shown = {}): PropertyDecorator =>
  (target, property) => {
    const { kind, required, nullable } = readRules(target.constructor, String(property));
    ApiProperty({
      ...kind.schema,
      selfRequired: required,
      nullable: nullable || undefined,
      ...{ description, example, default: byDefault },
    })(target, property);
  };

/** All class-validator metadata of `Dto`: its own properties before inherited ones, each in declared order. */
export const metadataOf = (Dto: Function) => getMetadataStorage().getTargetValidationMetadatas(Dto, '', true, false);

type Metadata = ReturnType<typeof metadataOf>;

/** The rules of one property together: whether it must be there, its JSON schema, and the words for an invalid value. */
export function readRules(Dto: Function, property: string): { kind: Kind; required: boolean; nullable: boolean } {
  const rules = metadataOf(Dto).filter(({ propertyName }) => propertyName === property);
  const accepts = (value: unknown) =>
    rules.some(({ type, constraints }) => {
      const applies = constraints?.[0] as (input: object, value: unknown) => boolean;
      return type === 'conditionalValidation' && !applies({ [property]: value }, value);
    });
  return { kind: kindOf(rules), required: !accepts(undefined), nullable: accepts(null) };
}

function kindOf(rules: Metadata): Kind {
  const ruleOf = (name: string) => rules.find((rule) => rule.name === name);
  const argumentOf = (name: string, at = 0) => (ruleOf(name)?.constraints as number[] | undefined)?.[at];
  if (ruleOf('isArray') !== undefined) {
    const items = kindOf(rules.filter(({ each }) => each));
    const list = arrayOf(items, { min: argumentOf('arrayMinSize'), max: argumentOf('arrayMaxSize') });
    const unique = ruleOf('arrayUnique') !== undefined && { uniqueItems: true };
    return { check: list.check, schema: { ...list.schema, ...unique } };
  }
  if (ruleOf('isIn') !== undefined) return oneOf(...(ruleOf('isIn')!.constraints[0] as string[]));
  if (ruleOf('isInt') !== undefined) return integer({ min: argumentOf('min'), max: argumentOf('max') });
  if (ruleOf('isBoolean') !== undefined) return boolean();
  if (ruleOf('isTimestamp') !== undefined) return timestamp();
  if (ruleOf('isUuid') !== undefined) return string({ pattern: UUID, expected: 'a UUID' });
  const { constraints, message } = ruleOf('matches') ?? {};
  return string({
    ...{ min: argumentOf('hasLength'), max: argumentOf('hasLength', 1), stored: ruleOf('isStorable') !== undefined },
    ...{ pattern: constraints?.[0] as RegExp | undefined, expected: message as string | undefined },
  });
}
