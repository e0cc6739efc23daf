import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BooleanField, EnumField, Field, IntegerField, StringField } from '../../platform/validation/fields.js';
import { modelName } from '../../platform/validation/model-name.rules.js';
import { Rules, type Rule } from '../../platform/validation/body-rules.js';
import {
  type FormFile,
  formFile,
  formList,
  formText,
  FormBooleanField,
  FormEnumField,
  FormField,
  FormFileField,
  FormFilesField,
  FormIntegerField,
  FormTextField,
  RequiredInPlace,
} from '../../platform/validation/form-kinds.js';
import { string } from '../../platform/validation/scalar-kinds.js';
import { unsupportedValue } from '../../platform/errors/error-factories.js';

const ONE_IMAGE = /(?:^|\/)dall-e-3$/;

interface Images {
  readonly model?: string;
  readonly n?: number | string | null;
}

/** These models generate one image (D11). */
const oneImageModels: Rule<Images> = ({ model, n }) =>
  ONE_IMAGE.test(model ?? '') && Number(n ?? 1) > 1 ? unsupportedValue('n', '1') : null;

@Rules(oneImageModels)
export class ImageGenerationRequest {
  @Field(modelName, {
    required: true,
    readByGateway: 'optional',
    description: 'ID of an image model.',
    example: 'gpt-image-1',
  })
  model: string;

  @StringField({ required: true, description: 'Description of the image.', example: 'A lighthouse at dawn' })
  prompt: string;

  @IntegerField({ min: 1, max: 10, description: 'Number of images. dall-e-3 supports only 1.' })
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

  @BooleanField({ readByGateway: 'optional', description: 'Sends the response as server-sent events.' })
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

/** The API description shows one file, as OpenAI's does. Several files of this name are left to the upstream. */
const image = { ...formList(formFile()), schema: formFile().schema };

@Rules(oneImageModels)
export class ImageEditRequest {
  @Field(image, {
    requiredIf: (form) => !Object.hasOwn(form, 'image[]'),
    description: 'The image to edit. Required without `image[]`.',
  })
  image?: FormFile;

  @FormFilesField({
    description: 'Images to edit, instead of `image` or in addition to it. Repeat the field for each file.',
  })
  'image[]'?: FormFile[];

  @RequiredInPlace(formText(string({ min: 1 })), { description: 'The change to make.', example: 'Make the sky red' })
  prompt: string;

  @FormFileField({ description: 'The area to change.' })
  mask?: FormFile;

  @FormField(modelName, {
    readByGateway: 'optional',
    description: 'ID of an image model. Required for API keys with allowed models.',
  })
  model?: string;

  @FormIntegerField({ min: 1, max: 10, description: 'Number of images. dall-e-3 supports only 1.' })
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

  @FormBooleanField({ readByGateway: 'optional', description: 'Sends the response as server-sent events.' })
  stream?: string;

  @FormIntegerField({ min: 0, max: 3 })
  partial_images?: string;

  @FormEnumField(['standard', 'low', 'medium', 'high', 'auto'])
  quality?: string;

  @FormTextField({ max: 256 })
  user?: string;
}

class ImageData {
  @ApiPropertyOptional({ type: 'string' })
  url?: string;

  @ApiPropertyOptional({ type: 'string' })
  b64_json?: string;
}

export class ImagesResult {
  @ApiProperty({ type: 'integer', description: 'Unix timestamp in seconds.' })
  created: number;

  @ApiProperty({ type: [ImageData] })
  data: ImageData[];
}
