import { BooleanField, EnumField, Field, IntegerField, StringField } from '../../validation/fields.js';
import { modelName } from '../../validation/model-name.rules.js';
import { Rules } from '../../validation/rules.decorator.js';
import { oneImageModels } from './one-image.rules.js';

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
