import { applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { EmbeddingRequest } from './embedding.request.dto.js';
import { EmbeddingList } from './embedding.response.dto.js';

/** How the API description shows embeddings. */
export const EmbeddingDoc = () =>
  applyDecorators(
    ApiTags('embeddings'),
    ApiBearerAuth('api_key'),
    ApiOperation({ summary: 'Turn texts into vectors', operationId: 'createEmbedding' }),
    ApiBody({ type: EmbeddingRequest }),
    ApiOkResponse({ type: EmbeddingList, description: 'A vector for each text, in their order.' }),
  );
