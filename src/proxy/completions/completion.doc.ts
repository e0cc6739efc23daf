import { applyDecorators } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { CompletionRequest } from './completion.request.dto.js';
import { Completion } from './completion.response.dto.js';

/** How the API description shows completions: JSON, or a stream of chunks with `stream: true`. */
export const CompletionDoc = () =>
  applyDecorators(
    ApiTags('completions'),
    ApiBearerAuth('api_key'),
    ApiExtraModels(Completion),
    ApiOperation({
      summary: 'Complete a text',
      description:
        'Base models are asked as they are; for every other model the completion is made of a chat completion.',
      operationId: 'createCompletion',
    }),
    ApiBody({ type: CompletionRequest }),
    ApiOkResponse({
      description: 'The completion; with `stream: true` server-sent events, each a chunk, closed by `data: [DONE]`.',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(Completion) } },
        'text/event-stream': { schema: { $ref: getSchemaPath(Completion) } },
      },
    }),
  );
