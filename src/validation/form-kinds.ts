import { invalidType, invalidValue } from '../errors/catalogue.js';
import type { Check, Kind } from './check.js';
import { integer, number, oneOf, type NumberRange } from './scalar-kinds.js';

/** A file of a form in the place of its bytes: those stay in the body and go upstream unchanged. */
export class FormFile {
  constructor(
    /** As the client called it; null where it gave no name. */
    readonly filename: string | null,
    readonly bytes: number,
  ) {}
}

/*
 * What the fields of a form may be. All of them come as text, or as a file; a name that stands more than once comes as an
 * array. `invalid_value` for a field given twice that is no list, `invalid_type` for a file in a text's place and for text
 * in a file's.
 */

/** A text field that is judged by `kind`. */
export const formText = (kind: Kind): Kind => textField(kind.schema, kind.check);

/** Decimal digits, with a minus or not; anything else is `invalid_value`, as a value out of range is. */
export function formInteger(range: Omit<NumberRange, 'above'> & { readonly min: number; readonly max: number }): Kind {
  const { schema } = integer(range);
  const expected = `an integer from ${range.min} to ${range.max}`;
  return textField(schema, (text, param) => {
    const value = typeof text === 'string' && INTEGER.test(text) ? Number(text) : Number.NaN;
    return value >= range.min && value <= range.max ? null : invalidValue(param, expected);
  });
}

const INTEGER = /^-?\d+$/;

/** A decimal number; text that is none is `invalid_type`. */
export function formNumber(range: NumberRange): Kind {
  const { check, schema } = number(range);
  return textField(schema, (text, param, mode) =>
    typeof text === 'string' && DECIMAL.test(text) ? check(Number(text), param, mode) : invalidType(param, 'a number'),
  );
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The word `true` or `false`; no mode lets another one pass, for it is no name out of a list. */
export const formBoolean = (): Kind => {
  const { check } = oneOf('true', 'false');
  return textField({ type: 'boolean' }, (text, param) => check(text, param, { lenient: false }));
};

/** One file. */
export const formFile = (): Kind => ({
  check: (value, param) => {
    if (Array.isArray(value)) return givenOnce(param);
    return value instanceof FormFile ? null : invalidType(param, 'a file');
  },
  schema: { type: 'string', format: 'binary' },
});

/** A field that may stand several times, each of `kind`. `param` is its name without the brackets at its end. */
export const formList = (kind: Kind): Kind => ({
  check: (value, name, mode) => {
    const param = name.replace(/\[\]$/, '');
    for (const entry of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const violation = kind.check(entry, param, mode);
      if (violation !== null) return violation;
    }
    return null;
  },
  schema: { type: 'array', items: kind.schema },
});

const textField = (schema: Kind['schema'], check: Check): Kind => ({
  check: (value, param, mode) => {
    if (Array.isArray(value)) return givenOnce(param);
    return value instanceof FormFile ? invalidType(param, 'text, not a file') : check(value, param, mode);
  },
  schema,
});

const givenOnce = (param: string) => invalidValue(param, 'given once');
