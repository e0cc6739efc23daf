import { ApiProperty } from '@nestjs/swagger';
import { getMetadataStorage, ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';
import { hasLength } from './characters.js';
import type { Kind } from './check.js';
import { arrayOf } from './compound-kinds.js';
import { boolean, integer, oneOf, string, timestamp } from './scalar-kinds.js';
import { parseTimestamp } from './timestamp.js';

/*
 * Decorators that class-validator lacks for operator input. They apply from last to first, so the last rule of a property is
 * checked first. A rule's `message` completes "it must be …".
 */

/** The pattern that `IsUUID('loose')` checks, for the API description. */
export const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** Unlike with `IsOptional`, the rules still apply to `null`. */
export const CanBeAbsent = (): PropertyDecorator => ValidateIf((_input, value) => value !== undefined);

/** Inclusive bounds in code points. class-validator's `Length` does not count variation selectors; the database does. */
export const HasLength = (min: number, max: number, options?: ValidationOptions): PropertyDecorator =>
  textRule('hasLength', (text) => hasLength(text, min, max), options, [min, max]);

/** PostgreSQL cannot store U+0000 and unpaired surrogates. */
export const IsStorable = (options?: ValidationOptions): PropertyDecorator =>
  textRule('isStorable', (text) => !text.includes('\0') && text.isWellFormed(), options);

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

/** Marks a rule over several fields or items. It is reported only if each single field is valid. */
export const AFTER_FIELDS = { context: { afterFields: true } } as const;

/** `holds` receives the whole input, in which other properties can be invalid. */
export const Compared = <T extends object>(holds: (input: T) => boolean, expected: string): PropertyDecorator =>
  ValidateBy(
    { name: 'compared', validator: { validate: (_value, args) => args !== undefined && holds(args.object as T) } },
    { ...AFTER_FIELDS, message: expected },
  );

export const IsNotAfter =
  (other: string): PropertyDecorator =>
  (target, property) =>
    Compared<Record<string | symbol, unknown>>((input) => {
      const [start, end] = [input[property], input[other]];
      return typeof start !== 'number' || typeof end !== 'number' || start <= end;
    }, `a time that is not after '${other}'`)(target, property);

interface ApiFieldOptions {
  readonly description?: string;
  readonly example?: unknown;
  /** The default in the API description. The handler fills it in. */
  readonly default?: unknown;
}

/** Adds a body field to the API description, with the rules of the class-validator decorators below it. */
export const ApiField =
  ({ description, example, default: byDefault }: ApiFieldOptions = {}): PropertyDecorator =>
  (target, property) => {
    const { kind, required, nullable } = readRules(target.constructor, String(property));
    ApiProperty({
      ...kind.schema,
      selfRequired: required,
      nullable: nullable || undefined,
      description,
      example,
      default: byDefault,
    })(target, property);
  };

export const metadataOf = (Dto: Function) => getMetadataStorage().getTargetValidationMetadatas(Dto, '', true, false);

type Metadata = ReturnType<typeof metadataOf>;

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
    min: argumentOf('hasLength'),
    max: argumentOf('hasLength', 1),
    stored: ruleOf('isStorable') !== undefined,
    pattern: constraints?.[0] as RegExp | undefined,
    expected: message as string | undefined,
  });
}
