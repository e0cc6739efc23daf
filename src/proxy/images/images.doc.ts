import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { ImageEditRequest } from './image-edit.request.dto.js';
import { ImageGenerationRequest } from './image-generation.request.dto.js';
import { ImagesResult } from './images.response.dto.js';

/** How the API description shows image generation. */
export const ImageGenerationDoc = () =>
  applyDecorators(
    ApiOperation({ summary: 'Make images from a text', operationId: 'createImage' }),
    answersImages(ImageGenerationRequest),
  );

/** How the API description shows image edits: a form. */
export const ImageEditDoc = () =>
  applyDecorators(
    ApiOperation({ summary: 'Change images by a text', operationId: 'createImageEdit' }),
    ApiConsumes('multipart/form-data'),
    answersImages(ImageEditRequest),
  );

const answersImages = (request: Type) =>
  applyDecorators(
    ApiTags('images'),
    ApiBearerAuth('api_key'),
    ApiExtraModels(ImagesResult),
    ApiBody({ type: request }),
    ApiOkResponse({
      description: 'The images; with `stream` true server-sent events.',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(ImagesResult) } },
        'text/event-stream': { schema: { type: 'string' } },
      },
    }),
  );
