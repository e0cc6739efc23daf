import { applyDecorators } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { PATH_ID } from '../path-id.doc.js';
import { ResponseRequest } from './response.request.dto.js';
import { DeletedResponse, ModelResponse, ResponseStreamEvent } from './response.response.dto.js';

const DESCRIBED = [ApiTags('responses'), ApiBearerAuth('api_key')];
const ID = ApiParam({ name: 'id', schema: PATH_ID });

export const ResponseDoc = () =>
  applyDecorators(
    ...DESCRIBED,
    ApiExtraModels(ModelResponse, ResponseStreamEvent),
    ApiOperation({ summary: "Ask one of OpenAI's own text models", operationId: 'createResponse' }),
    ApiBody({ type: ResponseRequest }),
    ApiOkResponse({
      description: 'The response; with `stream: true` named server-sent events up to `response.completed`.',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(ModelResponse) } },
        'text/event-stream': { schema: { $ref: getSchemaPath(ResponseStreamEvent) } },
      },
    }),
  );

export const StoredResponseDoc = () =>
  applyDecorators(
    ...DESCRIBED,
    ID,
    ApiOperation({ summary: 'Read a stored response', operationId: 'getResponse' }),
    ApiOkResponse({ type: ModelResponse }),
  );

export const DeletedResponseDoc = () =>
  applyDecorators(
    ...DESCRIBED,
    ID,
    ApiOperation({ summary: 'Delete a stored response', operationId: 'deleteResponse' }),
    ApiOkResponse({ type: DeletedResponse }),
  );
