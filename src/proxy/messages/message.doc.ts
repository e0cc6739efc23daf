import { applyDecorators } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiSecurity,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { PATH_ID } from '../path-id.doc.js';
import { MessageRequest } from './message.request.dto.js';
import { Message, MessageStreamEvent } from './message.response.dto.js';

// Made anew for each route: the decorators of security add up where they are shared.
const described = () => [
  ApiTags('messages'),
  ApiBearerAuth('api_key'),
  ApiSecurity('x_api_key'),
  ApiHeader({
    name: 'anthropic-version',
    required: false,
    description: 'Version of the format, sent on; 2023-06-01 where it is left out.',
    schema: { type: 'string', example: '2023-06-01' },
  }),
];

export const MessageDoc = () =>
  applyDecorators(
    ...described(),
    ApiExtraModels(Message, MessageStreamEvent),
    ApiHeader({
      name: 'anthropic-beta',
      required: false,
      description: 'Beta features, separated by commas; those of `betas` in the body are added.',
      schema: { type: 'string' },
    }),
    ApiOperation({ summary: 'Ask a chat model in the messages format', operationId: 'createMessage' }),
    ApiBody({ type: MessageRequest }),
    ApiOkResponse({
      description: 'The message; with `stream: true` named server-sent events from `message_start` to `message_stop`.',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(Message) } },
        'text/event-stream': { schema: { $ref: getSchemaPath(MessageStreamEvent) } },
      },
    }),
  );

export const StoredMessageDoc = () =>
  applyDecorators(
    ...described(),
    ApiOperation({ summary: 'Read a message again', operationId: 'getMessage' }),
    ApiParam({ name: 'message_id', schema: PATH_ID }),
    ApiOkResponse({
      description: 'What the upstream answers.',
      schema: { type: 'object', additionalProperties: true },
    }),
  );
