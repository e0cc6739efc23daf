import { applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ModelEntryAnswer, ModelListAnswer } from './model-entry.response.dto.js';

const DESCRIBED = [ApiTags('models'), ApiBearerAuth('api_key')];

export const ModelListDoc = () =>
  applyDecorators(
    ...DESCRIBED,
    ApiOperation({ summary: 'List models', operationId: 'listModels' }),
    ApiOkResponse({ type: ModelListAnswer, description: 'The models that this key may see.' }),
  );

export const ModelDoc = () =>
  applyDecorators(
    ...DESCRIBED,
    ApiOperation({ summary: 'Look a model up', operationId: 'retrieveModel' }),
    ApiOkResponse({ type: ModelEntryAnswer }),
  );
