import { ApiProperty } from '@nestjs/swagger';
import { invalidType, invalidValue } from '../errors/error-factories.js';
import type { Check, Kind } from './check.js';
import { integer, number, oneOf, type NumberRange, string, type StringRange } from './scalar-kinds.js';
import { Field, type FieldOptions } from './fields.js';

// Field decorators for multipart/form-data. Numbers and booleans are text in a form.

export const FormTextField = (options: StringRange & FieldOptions = {}) => FormField(string(options), options);
export const FormEnumField = (names: readonly string[], options: FieldOptions = {}) =>
  FormField(oneOf(...names), options);
export const FormNumberField = (options: NumberRange & FieldOptions = {}) => Field(formNumber(options), options);
export const FormIntegerField = (options: { readonly min: number; readonly max: number } & FieldOptions) =>
  Field(formInteger(options), options);
export const FormBooleanField = (options: FieldOptions = {}) => Field(formBoolean(), options);
export const FormFileField = (options: FieldOptions = {}) => Field(formFile(), options);
export const FormFilesField = (options: FieldOptions = {}) => {
  const { check, schema } = formList(formFile());
  // A form cannot express an empty list.
  return Field({ check, schema: { ...schema, minItems: 1 } }, options);
};
/** One or more texts under the same name (`timestamp_granularities[]`). */
export const FormListField = (item: Kind, options: FieldOptions = {}) => Field(formList(formText(item)), options);

export const FormField = (kind: Kind, options: FieldOptions = {}) => Field(formText(kind), options);

/**
 * A required field that is checked at its position in the class. With `required`, a missing `prompt` would be reported before a
 * missing `image`, which is only required without `image[]`.
 */
export const RequiredInPlace = (kind: Kind, options: Omit<FieldOptions, 'required' | 'requiredIf'> = {}) => {
  const field = Field(kind, { ...options, requiredIf: () => true });
  const shown = ApiProperty({ ...kind.schema, description: options.description, selfRequired: true });
  return ((target: object, property: string) => {
    field(target, property);
    shown(target, property);
  }) as PropertyDecorator;
};

/** Enough for the header of a WAV file. */
export const FILE_HEAD_BYTES = 64;
const NO_BYTES = Buffer.alloc(0);

/** Its bytes stay in the body and go upstream unchanged. */
export class FormFile {
  // Not a field of the value: two files with the same name and size are equal for validation.
  readonly #head: Buffer;

  /** @param head its first bytes, which state the format */
  constructor(
    readonly filename: string | null,
    readonly bytes: number,
    head: Buffer = NO_BYTES,
  ) {
    this.#head = head;
  }

  get head(): Buffer {
    return this.#head;
  }
}

/*
 * A form value is text or a `FormFile`; a repeated name is an array of them. A repeated field that is not a list is
 * `invalid_value`. A file instead of text, or text instead of a file, is `invalid_type`.
 */

export const formText = (kind: Kind): Kind => textField(kind.schema, kind.check);

/** Text that is not decimal digits with an optional minus sign is `invalid_value`, like a number out of range. */
export function formInteger(range: Omit<NumberRange, 'above'> & { readonly min: number; readonly max: number }): Kind {
  const { schema } = integer(range);
  const expected = `an integer from ${range.min} to ${range.max}`;
  return textField(schema, (text, param) => {
    const value = typeof text === 'string' && INTEGER.test(text) ? Number(text) : Number.NaN;
    return value >= range.min && value <= range.max ? null : invalidValue(param, expected);
  });
}

const INTEGER = /^-?\d+$/;

/** Text that is not a decimal number is `invalid_type`. */
export function formNumber(range: NumberRange): Kind {
  const { check, schema } = number(range);
  return textField(schema, (text, param, mode) =>
    typeof text === 'string' && DECIMAL.test(text) ? check(Number(text), param, mode) : invalidType(param, 'a number'),
  );
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Lenient mode does not relax it, because it is not a list of names (D28). */
export const formBoolean = (): Kind => {
  const { check } = oneOf('true', 'false');
  return textField({ type: 'boolean' }, (text, param) => check(text, param, { lenient: false }));
};

export const formFile = (): Kind => ({
  check: (value, param) => {
    if (Array.isArray(value)) return notOnce(param);
    return value instanceof FormFile ? null : invalidType(param, 'a file');
  },
  schema: { type: 'string', format: 'binary' },
});

/** A field that can be repeated. `param` is the name without a final `[]`. */
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
    if (Array.isArray(value)) return notOnce(param);
    return value instanceof FormFile ? invalidType(param, 'text, not a file') : check(value, param, mode);
  },
  schema,
});

const notOnce = (param: string) => invalidValue(param, 'specified only once');
