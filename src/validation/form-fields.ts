import { ApiProperty } from '@nestjs/swagger';
import type { Kind } from './check.js';
import { Field, type FieldOptions } from './fields.js';
import { formBoolean, formFile, formInteger, formList, formNumber, formText } from './form-kinds.js';
import { oneOf, string, type NumberRange, type StringRange } from './scalar-kinds.js';

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
