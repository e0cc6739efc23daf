import { ApiProperty } from '@nestjs/swagger';
import type { Kind } from './check.js';
import { Field, type FieldOptions } from './fields.js';
import { formBoolean, formFile, formInteger, formList, formNumber, formText } from './form-kinds.js';
import { oneOf, string, type NumberRange, type StringRange } from './scalar-kinds.js';

/*
 * Field decorators of a multipart/form-data body: what `fields.ts` is for JSON. Numbers and truth values come as text.
 */

export const FormTextField = (options: StringRange & FieldOptions = {}) => FormField(string(options), options);
export const FormEnumField = (names: readonly string[], options: FieldOptions = {}) =>
  FormField(oneOf(...names), options);
export const FormNumberField = (options: NumberRange & FieldOptions = {}) => Field(formNumber(options), options);
export const FormIntegerField = (options: { readonly min: number; readonly max: number } & FieldOptions) =>
  Field(formInteger(options), options);
export const FormBooleanField = (options: FieldOptions = {}) => Field(formBoolean(), options);
export const FormFileField = (options: FieldOptions = {}) => Field(formFile(), options);
/** One file or several, the name repeated. */
export const FormFilesField = (options: FieldOptions = {}) => {
  const { check, schema } = formList(formFile());
  // A form cannot say that a list is empty.
  return Field({ check, schema: { ...schema, minItems: 1 } }, options);
};
/** One text or several, the name (`timestamp_granularities[]`) repeated. */
export const FormListField = (item: Kind, options: FieldOptions = {}) => Field(formList(formText(item)), options);

/** Any kind of text. */
export const FormField = (kind: Kind, options: FieldOptions = {}) => Field(formText(kind), options);

/**
 * Required, told in the field's own place in the class: the plain `required` ones are told first, and may not stand behind
 * a field like `image`, which another (`image[]`) can replace.
 */
export const RequiredInPlace = (kind: Kind, options: Omit<FieldOptions, 'required' | 'requiredIf'> = {}) => {
  const field = Field(kind, { ...options, requiredIf: () => true });
  const shown = ApiProperty({ ...kind.schema, description: options.description, selfRequired: true });
  return ((target: object, property: string) => {
    field(target, property);
    shown(target, property);
  }) as PropertyDecorator;
};
