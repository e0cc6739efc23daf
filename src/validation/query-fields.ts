import { ApiProperty } from '@nestjs/swagger';
import { registerDecorator } from 'class-validator';
import type { Schema } from './check.js';
import { listNames, string, type StringRange } from './scalar-kinds.js';
import { parseTimestamp, TIMESTAMP_EXPECTED } from './timestamp.js';

/** What a query decorator says of one parameter: read by `compileQuery`. */
export interface QueryRule {
  readonly name: string;
  /** Undefined for a text that is not allowed. */
  readonly parse: (text: string) => unknown;
  /** Completes "it must be …". */
  readonly expected: string;
  /** The value of a parameter left out. */
  readonly byDefault: unknown;
}

interface Options<T> {
  readonly byDefault?: T;
  readonly description?: string;
}

/** A text; lengths in characters. U+0000 is refused: it would fail in the database. */
export function QueryText({ byDefault, description, ...range }: StringRange & Options<string> = {}): PropertyDecorator {
  const { check, schema } = string({ stored: true, ...range });
  const parse = (text: string) => (check(text, '', { lenient: false }) === null ? text : undefined);
  return QueryField({ parse, expected: range.expected ?? describeText(range), byDefault }, schema, description);
}

const describeText = ({ min = 0, max, pattern }: StringRange): string =>
  pattern !== undefined
    ? `text that matches ${pattern.source}`
    : `text of ${min} to ${max ?? 'any number of'} characters`;

interface IntegerRange {
  readonly min: number;
  readonly max: number;
}

/** Decimal digits only: no sign, blank, fraction or exponent. */
export function QueryInteger({ min, max, byDefault, description }: IntegerRange & Options<number>): PropertyDecorator {
  const parse = (text: string) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
  const schema = { type: 'integer', minimum: min, maximum: max };
  return QueryField({ parse, expected: `an integer from ${min} to ${max}`, byDefault }, schema, description);
}

/** One of a closed list of names, case-sensitive. */
export function QueryEnum(
  names: readonly string[],
  { byDefault, description }: Options<string> = {},
): PropertyDecorator {
  const parse = (text: string) => (names.includes(text) ? text : undefined);
  const schema = { type: 'string', enum: names };
  return QueryField({ parse, expected: listNames(names), byDefault }, schema, description);
}

/** `true` or `false`. */
export function QueryFlag({ byDefault, description }: Options<boolean> = {}): PropertyDecorator {
  const parse = (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined);
  return QueryField({ parse, expected: "'true' or 'false'", byDefault }, { type: 'boolean' }, description);
}

/** ISO 8601 → milliseconds since 1970. */
export function QueryTimestamp({ byDefault, description }: Options<number> = {}): PropertyDecorator {
  const parse = (text: string) => parseTimestamp(text) ?? undefined;
  const schema = { type: 'string', format: 'date-time' };
  return QueryField({ parse, expected: TIMESTAMP_EXPECTED, byDefault }, schema, description);
}

function QueryField(rule: Omit<QueryRule, 'name'>, schema: Schema, description?: string): PropertyDecorator {
  return (target, property) => {
    const name = String(property);
    registerDecorator({
      name: 'field',
      target: target.constructor,
      propertyName: name,
      constraints: [{ ...rule, name }],
      validator: {
        validate: (value: unknown) =>
          value === undefined || (typeof value === 'string' && rule.parse(value) !== undefined),
        defaultMessage: () => `it must be ${rule.expected}`,
      },
    });
    ApiProperty({ ...schema, required: false, description, default: rule.byDefault })(target, property);
  };
}
