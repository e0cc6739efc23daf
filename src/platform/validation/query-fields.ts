import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Expose, Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsString, IsUUID, Matches, Max, Min } from 'class-validator';
import type { Schema } from './check.js';
import { UUID } from './characters.js';
import { CanBeAbsent, HasLength, IsStorable } from './input.decorators.js';
import { listNames, string, type StringRange } from './scalar-kinds.js';
import { parseTimestamp, TIMESTAMP_EXPECTED } from './timestamp.js';

/*
 * class-transformer converts the text of a query parameter, and class-validator checks the value. Text that cannot be
 * converted stays text and fails the check. An absent parameter becomes `byDefault` or undefined.
 */

interface Options<T> {
  readonly byDefault?: T;
  readonly description?: string;
}

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

function describeText({ min = 0, max, pattern }: StringRange): string {
  if (pattern !== undefined) return `text that matches ${pattern.source}`;
  if (max === undefined)
    return min === 0 ? 'text' : min === 1 ? 'non-empty text' : `text of at least ${min} characters`;
  return min > 0 ? `text of ${min} to ${max} characters` : `text of at most ${max} characters`;
}

/** Text that is not a UUID is rejected; an unknown ID matches nothing. The value is in lower case, as IDs are. */
export function QueryUuid(description: string): PropertyDecorator {
  const rules = [IsUUID('loose', { message: 'a UUID such as 0198c0de-0000-7000-8000-000000000000' })];
  const { schema } = string({ stored: true, pattern: UUID });
  return QueryField((text) => text.toLowerCase(), rules, { description, schema });
}

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

export function QueryEnum(names: readonly string[], options: Options<string> = {}): PropertyDecorator {
  const schema = { type: 'string', enum: names };
  return QueryField((text) => text, [IsIn(names, { message: listNames(names) })], { ...options, schema });
}

export function QueryFlag(options: Options<boolean> = {}): PropertyDecorator {
  return QueryField(
    (text) => (text === 'true' ? true : text === 'false' ? false : text),
    [IsBoolean({ message: "'true' or 'false'" })],
    { ...options, schema: { type: 'boolean' } },
  );
}

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
    // Without `Expose`, an absent parameter would not get its default.
    Expose(),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? valueOf(value) : (value ?? byDefault))),
    CanBeAbsent(),
    ...rules,
    ApiProperty({ ...schema, required: false, description, default: byDefault }),
  );
}
