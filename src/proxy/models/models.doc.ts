import { applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { ModelEntryAnswer, ModelListAnswer } from './model-entry.response.dto.js';

const DESCRIBED = [ApiTags('models'), ApiBearerAuth('api_key')];

export const ModelListDoc = () =>
  applyDecorators(
    ...DESCRIBED,
    ApiOkResponse({ type: ModelListAnswer, description: 'The models that this key may see.' }),
  );

export const ModelDoc = () =>
  applyDecorators(
    ...DESCRIBED,
    ApiParam({ name: 'model', description: 'Model id; slashes plain or percent-encoded.', example: 'gpt-4o-mini' }),
    ApiOkResponse({ type: ModelEntryAnswer }),
  );
