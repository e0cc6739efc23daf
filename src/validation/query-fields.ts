import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Expose, Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsString, IsUUID, Matches, Max, Min } from 'class-validator';
import type { Schema } from './check.js';
import { CanBeAbsent, HasLength, IsStorable, UUID } from './input.decorators.js';
import { listNames, string, type StringRange } from './scalar-kinds.js';
import { parseTimestamp, TIMESTAMP_EXPECTED } from './timestamp.js';

/*
 * Query parameters: class-transformer makes a value of the text, class-validator checks the value. Text that is no such value
 * stays text, which the check then refuses. A parameter can be left out: it is `byDefault` then, or undefined.
 */

interface Options<T> {
  readonly byDefault?: T;
  readonly description?: string;
}

/** A text; lengths in characters. The database has to be able to store it. */
export function QueryText({ byDefault, description, ...range }: StringRange & Options<string> = {}): PropertyDecorator {
  const { min = 0, max = Infinity, pattern, expected: message = describeText(range) } = range;
  const rules = [IsString({ message }), HasLength(min, max, { message }), IsStorable({ message })];
  if (pattern !== undefined) rules.push(Matches(pattern, { message }));
  return QueryField((text) => text, rules, {
    byDefault,
    description,
    schema: string({ stored: true, ...range }).schema,
  });
}

const describeText = ({ min = 0, max, pattern }: StringRange): string =>
  pattern !== undefined
    ? `text that matches ${pattern.source}`
    : `text of ${min} to ${max ?? 'any number of'} characters`;

/** The id of an object of the gateway. One that is not a UUID can only be a mistake; an unknown one finds nothing. */
export function QueryUuid(description: string): PropertyDecorator {
  const rules = [IsUUID('loose', { message: 'a UUID such as 0198c0de-0000-7000-8000-000000000000' })];
  return QueryField((text) => text, rules, { description, schema: string({ stored: true, pattern: UUID }).schema });
}

/** Decimal digits only: no sign, blank, fraction or exponent. */
export function QueryInteger({
  min,
  max,
  ...options
}: { readonly min: number; readonly max: number } & Options<number>): PropertyDecorator {
  const message = `an integer from ${min} to ${max}`;
  return QueryField(
    (text) => (/^\d{1,15}$/.test(text) ? Number(text) : text),
    [IsInt({ message }), Min(min, { message }), Max(max, { message })],
    { ...options, schema: { type: 'integer', minimum: min, maximum: max } },
  );
}

/** One of a closed list of names, case-sensitive. */
export function QueryEnum(names: readonly string[], options: Options<string> = {}): PropertyDecorator {
  const schema = { type: 'string', enum: names };
  return QueryField((text) => text, [IsIn(names, { message: listNames(names) })], { ...options, schema });
}

/** `true` or `false`. */
export function QueryFlag(options: Options<boolean> = {}): PropertyDecorator {
  return QueryField(
    (text) => (text === 'true' ? true : text === 'false' ? false : text),
    [IsBoolean({ message: "'true' or 'false'" })],
    { ...options, schema: { type: 'boolean' } },
  );
}

/** ISO 8601 → milliseconds since 1970. */
export function QueryTimestamp(options: Options<number> = {}): PropertyDecorator {
  return QueryField((text) => parseTimestamp(text) ?? text, [IsInt({ message: TIMESTAMP_EXPECTED })], {
    ...options,
    schema: { type: 'string', format: 'date-time' },
  });
}

function QueryField(
  valueOf: (text: string) => unknown,
  rules: readonly PropertyDecorator[],
  { schema, description, byDefault }: Options<unknown> & { readonly schema: Schema },
): PropertyDecorator {
  return applyDecorators(
    // A parameter that is left out is transformed only if it is exposed.
    Expose(),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? valueOf(value) : (value ?? byDefault))),
    CanBeAbsent(),
    ...rules,
    ApiProperty({ ...schema, required: false, description, default: byDefault }),
  );
}
