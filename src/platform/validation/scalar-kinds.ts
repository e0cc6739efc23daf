import { invalidType, invalidValue } from '../errors/error-factories.js';
import { hasLength } from './characters.js';
import type { Kind } from './check.js';
import { parseTimestamp, TIMESTAMP_EXPECTED, TIMESTAMP_PATTERN } from './timestamp.js';

/** Bounds are inclusive. Lengths are in characters (code points). */
export interface StringRange {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** Completes "it must be …". Default: the bounds. */
  readonly expected?: string;
  /** Rejects U+0000 and unpaired surrogates, which the database cannot store. */
  readonly stored?: boolean;
}

export function string(range: StringRange = {}): Kind {
  const { min = 0, max = Infinity, pattern, stored = false, expected = describeLength(range) } = range;
  return {
    check: (value, param) => {
      if (typeof value !== 'string') return invalidType(param, 'a string');
      if (!hasLength(value, min, max) || (pattern !== undefined && !pattern.test(value)))
        return invalidValue(param, expected);
      if (stored && value.includes('\0')) return invalidValue(param, 'text without the character U+0000');
      return stored && !value.isWellFormed() ? invalidValue(param, 'text without unpaired surrogates') : null;
    },
    schema: {
      type: 'string',
      ...(min > 0 && { minLength: min }),
      ...(max < Infinity && { maxLength: max }),
      ...(pattern !== undefined ? { pattern: pattern.source } : stored && { pattern: '^[^\\u0000]*$' }),
      ...(stored && pattern?.test('\0') === true && { not: { pattern: '\\u0000' } }),
    },
  };
}

function describeLength({ min = 0, max, pattern }: StringRange): string {
  if (pattern !== undefined) return `a string that matches ${pattern.source}`;
  if (max === undefined) return min === 1 ? 'a non-empty string' : `a string of at least ${min} characters`;
  return `a string of ${min > 0 ? `${min} to` : 'at most'} ${max} characters`;
}

/** `min` and `max` are inclusive; `above` is exclusive. */
export interface NumberRange {
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
}

export function number({ min = -Infinity, max = Infinity, above = -Infinity }: NumberRange = {}): Kind {
  const expected = describeRange('a number', { min, max, above });
  return {
    check: (value, param) => {
      if (typeof value !== 'number') return invalidType(param, 'a number');
      return value >= min && value <= max && value > above ? null : invalidValue(param, expected);
    },
    schema: {
      type: 'number',
      ...rangeSchema(min, max),
      ...(above > -Infinity && { exclusiveMinimum: above }),
    },
  };
}

/** `1.0` passes. A fraction is `invalid_value`, not `invalid_type` (D30). */
export function integer({ min = -Infinity, max = Infinity }: Omit<NumberRange, 'above'> = {}): Kind {
  const expected = describeRange('an integer', { min, max, above: -Infinity });
  return {
    check: (value, param) => {
      if (typeof value !== 'number') return invalidType(param, 'an integer');
      return Number.isInteger(value) && value >= min && value <= max ? null : invalidValue(param, expected);
    },
    schema: { type: 'integer', ...rangeSchema(min, max) },
  };
}

function describeRange(noun: string, { min, max, above }: Required<NumberRange>): string {
  if (above > -Infinity) return `${noun} greater than ${above}`;
  if (min === -Infinity && max === Infinity) return noun;
  if (max === Infinity) return `${noun} of at least ${min}`;
  return min === -Infinity ? `${noun} of at most ${max}` : `${noun} from ${min} to ${max}`;
}

const rangeSchema = (min: number, max: number) => ({
  ...(min > -Infinity && { minimum: min }),
  ...(max < Infinity && { maximum: max }),
});

export const boolean = (): Kind => ({
  check: (value, param) => (typeof value === 'boolean' ? null : invalidType(param, 'true or false')),
  schema: { type: 'boolean' },
});

/** Case-sensitive. In lenient mode any string passes (D28). */
export function oneOf(...names: readonly string[]): Kind {
  const known = new Set(names);
  const expected = listNames(names);
  return {
    check: (value, param, { lenient }) => {
      if (typeof value !== 'string') return invalidType(param, 'a string');
      return known.has(value) || lenient ? null : invalidValue(param, expected);
    },
    schema: { type: 'string', enum: names },
  };
}

export const timestamp = (): Kind => ({
  check: (value, param) => {
    if (typeof value !== 'string') return invalidType(param, 'a string');
    return parseTimestamp(value) === null ? invalidValue(param, TIMESTAMP_EXPECTED) : null;
  },
  // `date-time` is for code generators. The pattern is authoritative, and also allows other forms, such as a date without a time.
  schema: { type: 'string', format: 'date-time', pattern: TIMESTAMP_PATTERN.source },
});

export const listNames = (names: readonly string[]): string =>
  names.length === 1 ? `'${names[0]}'` : `one of ${names.map((name) => `'${name}'`).join(', ')}`;
