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
import { ChatCompletionRequest } from './chat-completion.request.dto.js';
import { ChatCompletion, ChatCompletionChunk } from './chat-completion.response.dto.js';

/** How the API description shows chat completions: JSON, or a stream of chunks with `stream: true`. */
export const ChatCompletionDoc = () =>
  applyDecorators(
    ApiTags('chat'),
    ApiBearerAuth('api_key'),
    ApiExtraModels(ChatCompletion, ChatCompletionChunk),
    ApiOperation({ summary: 'Ask a chat model', operationId: 'createChatCompletion' }),
    ApiBody({ type: ChatCompletionRequest }),
    ApiOkResponse({
      description: 'The completion; with `stream: true` server-sent events, each a chunk, closed by `data: [DONE]`.',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(ChatCompletion) } },
        'text/event-stream': { schema: { $ref: getSchemaPath(ChatCompletionChunk) } },
      },
    }),
  );
