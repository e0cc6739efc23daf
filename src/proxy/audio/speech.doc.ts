import { applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SpeechRequest } from './speech.request.dto.js';

/** How the API description shows speech: audio of the format asked for, or events. */
export const SpeechDoc = () =>
  applyDecorators(
    ApiTags('audio'),
    ApiBearerAuth('api_key'),
    ApiOperation({ summary: 'Turn text into speech', operationId: 'createSpeech' }),
    ApiBody({ type: SpeechRequest }),
    ApiOkResponse({
      description: 'The audio, as it is made; with `stream_format: "sse"` server-sent events.',
      content: {
        'audio/mpeg': { schema: { type: 'string', format: 'binary' } },
        'text/event-stream': { schema: { type: 'string' } },
      },
    }),
  );
