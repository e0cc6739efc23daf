import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';
import { hasLength } from './characters.js';
import type { JsonObject, Schema } from './check.js';
import { type InputCheck, readRules } from './input-metadata.js';
import { InputRules } from './input-rules.js';
import { parseTimestamp } from './timestamp.js';

/*
 * Decorators that class-validator lacks for operator input. They apply from last to first, so the last rule of a property is
 * checked first. In `applyDecorators`, they apply from first to last. There, `ApiField` comes last, because it reads the rules. The
 * `message` of a rule completes "it must be …".
 */

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

/** Text of at least one character that is stored. */
export const IsStoredText = (max: number, options: ValidationOptions = {}): PropertyDecorator =>
  applyDecorators(IsString(options), HasLength(1, max, options), IsStorable(options));

/**
 * A rule that words its own violation.
 * @param schema its part of the API description
 */
export const CheckedBy = (check: InputCheck, schema: Schema = {}, options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'checkedBy',
      constraints: [check, schema],
      validator: {
        validate: (value, args) => check(value, { param: args!.property, input: args!.object as JsonObject }) === null,
      },
    },
    options,
  );

/** An object with the rules of `Dto`. With `each`, every item of a list. */
export const IsNested = (Dto: new () => object, options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isNested',
      constraints: [Dto],
      validator: { validate: (value, args) => InputRules.of(Dto).judgeNested(value, args!.property, {}) === null },
    },
    options,
  );

/** Marks a rule over several fields or items. It is reported only if each single field is valid. */
export const AFTER_FIELDS = { context: { afterFields: true } } as const;

/** `holds` receives the whole input, in which other properties can be invalid. */
export const Compared = <T extends object>(holds: (input: T) => boolean, expected: string): PropertyDecorator =>
  ValidateBy(
    { name: 'compared', validator: { validate: (_value, args) => args !== undefined && holds(args.object as T) } },
    { ...AFTER_FIELDS, message: expected },
  );

export const IsNotAfter = (other: string): PropertyDecorator =>
  InOrder(other, (start, end) => start <= end, `a time that is not after '${other}'`);

/** Two times on the same UTC day are valid in any order, for figures that are counted per day. */
export const IsNotOnLaterDay = (other: string): PropertyDecorator =>
  InOrder(other, (start, end) => dayNumber(start) <= dayNumber(end), `a day that is not after '${other}'`);

const dayNumber = (ms: number): number => Math.floor(ms / 86_400_000);

const InOrder =
  (other: string, holds: (start: number, end: number) => boolean, expected: string): PropertyDecorator =>
  (target, property) =>
    Compared<Record<string | symbol, unknown>>((input) => {
      const [start, end] = [input[property], input[other]];
      return typeof start !== 'number' || typeof end !== 'number' || holds(start, end);
    }, expected)(target, property);

interface ApiFieldOptions {
  readonly description?: string;
  readonly example?: unknown;
  /** The default in the API description. The handler fills it in. */
  readonly default?: unknown;
  readonly required?: boolean;
  readonly nullable?: boolean;
}

/** Adds a body field to the API description, with the rules of the class-validator decorators below it. */
export const ApiField =
  ({ description, example, default: byDefault, ...given }: ApiFieldOptions = {}): PropertyDecorator =>
  (target, property) => {
    const { schema, required, nullable } = readRules(target.constructor, String(property));
    ApiProperty({
      ...schema,
      selfRequired: given.required ?? required,
      nullable: (given.nullable ?? nullable) || undefined,
      description: description ?? (schema['description'] as string | undefined),
      example: example ?? schema['example'],
      default: byDefault,
    })(target, property);
  };
