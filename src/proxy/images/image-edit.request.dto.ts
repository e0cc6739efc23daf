import { type FormFile, formFile, formList, formText } from '../../validation/form-kinds.js';
import { Field } from '../../validation/fields.js';
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
import { modelName } from '../../validation/model-name.rules.js';
import { Rules } from '../../validation/rules.decorator.js';
import { string } from '../../validation/scalar-kinds.js';
import { oneImageModels } from './one-image.rules.js';

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
