import { applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { TranscriptionRequest } from './transcription.request.dto.js';

/** How the API description shows transcriptions: a form in, JSON or text out. */
export const TranscriptionDoc = () =>
  applyDecorators(
    ApiTags('audio'),
    ApiBearerAuth('api_key'),
    ApiOperation({ summary: 'Turn speech into text', operationId: 'createTranscription' }),
    ApiConsumes('multipart/form-data'),
    ApiBody({ type: TranscriptionRequest }),
    ApiOkResponse({
      description: 'The text, in the format asked for; where the model streams it, server-sent events.',
      content: {
        'application/json': { schema: { type: 'object', properties: { text: { type: 'string' } } } },
        'text/plain': { schema: { type: 'string' } },
        'text/event-stream': { schema: { type: 'string' } },
      },
    }),
  );
