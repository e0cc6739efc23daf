import { BooleanField, EnumField, Field, IntegerField, StringField } from '../../validation/fields.js';
import { modelName } from '../../validation/model-name.rules.js';
import { Rules, type Rule } from '../../validation/rules.decorator.js';
import { type FormFile, formFile, formList, formText } from '../../validation/form-kinds.js';
import {
  FormBooleanField,
  FormEnumField,
  FormField,
  FormFileField,
  FormFilesField,
  FormIntegerField,
  FormTextField,
  RequiredInPlace,
} from '../../validation/form-fields.js';
import { string } from '../../validation/scalar-kinds.js';
import { unsupportedValue } from '../../errors/catalogue.js';

/** The model that makes one image at a time, also under its maker's name (D11). */
const ONE_IMAGE = /(?:^|\/)dall-e-3$/;

/** `n` of a form is text. */
interface Images {
  readonly model?: string;
  readonly n?: number | string | null;
}

/** It takes no `n` above 1. `unsupported_value`. */
export const oneImageModels: Rule<Images> = ({ model, n }) =>
  ONE_IMAGE.test(model ?? '') && Number(n ?? 1) > 1 ? unsupportedValue('n', '1') : null;

/** Body of POST /v1/images/generations. Its fields stand in the order in which violations are told (D1). */
@Rules(oneImageModels)
export class ImageGenerationRequest {
  @Field(modelName, {
    required: true,
    readByGateway: 'optional',
    description: 'Id of an image model.',
    example: 'gpt-image-1',
  })
  model: string;

  @StringField({ required: true, description: 'What the image shows.', example: 'A lighthouse at dawn' })
  prompt: string;

  @IntegerField({ min: 1, max: 10, description: 'Number of images; dall-e-3 makes one.' })
  n?: number | null;

  @StringField({ description: 'Depends on the model.', example: '1024x1024' })
  size?: string | null;

  @EnumField(['standard', 'hd', 'low', 'medium', 'high', 'auto'])
  quality?: string | null;

  @EnumField(['url', 'b64_json'])
  response_format?: string | null;

  @EnumField(['png', 'jpeg', 'webp'])
  output_format?: string | null;

  @IntegerField({ min: 0, max: 100 })
  output_compression?: number | null;

  @BooleanField({ readByGateway: 'optional', description: 'Answers as server-sent events.' })
  stream?: boolean | null;

  @IntegerField({ min: 0, max: 3 })
  partial_images?: number | null;

  @EnumField(['low', 'auto'])
  moderation?: string | null;

  @EnumField(['transparent', 'opaque', 'auto'])
  background?: string | null;

  @EnumField(['vivid', 'natural'])
  style?: string | null;

  @StringField({ max: 256 })
  user?: string | null;
}

/** Shown as one file, which the vendor's description says; several of the name are the upstream's to judge. */
const image = { ...formList(formFile()), schema: formFile().schema };

/** Form of POST /v1/images/edits. Its fields stand in the order in which violations are told (D1). */
@Rules(oneImageModels)
export class ImageEditRequest {
  @Field(image, {
    requiredIf: (form) => !Object.hasOwn(form, 'image[]'),
    description: 'The image to edit. Required unless `image[]` is given.',
  })
  image?: FormFile;

  @FormFilesField({ description: 'Images to edit, instead of `image` or in addition to it; the name repeated.' })
  'image[]'?: FormFile[];

  @RequiredInPlace(formText(string({ min: 1 })), { description: 'The change to make.', example: 'Make the sky red' })
  prompt: string;

  @FormFileField({ description: 'Where to change it.' })
  mask?: FormFile;

  @FormField(modelName, {
    readByGateway: 'optional',
    description: 'Id of an image model. A key with a list of models has to name one.',
  })
  model?: string;

  @FormIntegerField({ min: 1, max: 10, description: 'Number of images; dall-e-3 makes one.' })
  n?: string;

  @FormTextField({ description: 'Depends on the model.', example: '1024x1024' })
  size?: string;

  @FormEnumField(['url', 'b64_json'])
  response_format?: string;

  @FormEnumField(['png', 'jpeg', 'webp'])
  output_format?: string;

  @FormIntegerField({ min: 0, max: 100 })
  output_compression?: string;

  @FormEnumField(['transparent', 'opaque', 'auto'])
  background?: string;

  @FormEnumField(['high', 'low'])
  input_fidelity?: string;

  @FormBooleanField({ readByGateway: 'optional', description: 'Answers as server-sent events.' })
  stream?: string;

  @FormIntegerField({ min: 0, max: 3 })
  partial_images?: string;

  @FormEnumField(['standard', 'low', 'medium', 'high', 'auto'])
  quality?: string;

  @FormTextField({ max: 256 })
  user?: string;
}
