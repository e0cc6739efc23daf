import { ApiPropertyOptional } from '@nestjs/swagger';
import type { Check } from '../../validation/check.js';
import { CheckedField } from '../../validation/fields.js';
import { modelName } from '../../validation/model-name.rules.js';

// The gateway checks only the models that these bodies name.

/** Rejects model names that are too long for the model gate. Other values are left to the provider. */
const ifText: Check = (value, param, mode) => (typeof value === 'string' ? modelName.check(value, param, mode) : null);

export class ModelIfAny {
  @CheckedField(ifText, modelName.schema, {
    readByGateway: 'optional',
    description: 'The gateway checks whether the API key can use this model.',
  })
  model?: unknown;
}

/** The gateway streams the form without reading its fields. */
export class FormUpload {
  @ApiPropertyOptional({ type: 'string', format: 'binary', description: 'The provider decides which fields it needs.' })
  file?: string;
}

export class FileUpload extends FormUpload {
  @ApiPropertyOptional({ type: 'string', example: 'assistants' })
  purpose?: string;
}

export class SessionCreation {
  @ApiPropertyOptional({
    type: 'object',
    properties: {
      model: { type: 'string', description: 'The gateway checks whether the API key can use this model.' },
    },
    additionalProperties: true,
  })
  session?: object;
}

export class BatchCreation extends ModelIfAny {
  @ApiPropertyOptional({
    ...{ type: 'string', example: 'file-abc123' },
    description: 'The gateway checks every model that this file names.',
  })
  input_file_id?: string;

  @ApiPropertyOptional({ type: 'string', example: '/v1/chat/completions' })
  endpoint?: string;

  @ApiPropertyOptional({ type: 'string', example: '24h' })
  completion_window?: string;
}

export class AssistantChange extends ModelIfAny {
  @ApiPropertyOptional({ type: 'string', nullable: true })
  name?: string | null;

  @ApiPropertyOptional({ type: 'string', nullable: true })
  instructions?: string | null;

  @ApiPropertyOptional({ type: 'array', items: { type: 'object', additionalProperties: true } })
  tools?: object[];

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  tool_resources?: object;
}

export class RunCreation extends ModelIfAny {
  @ApiPropertyOptional({ type: 'string', example: 'asst_abc123' })
  assistant_id?: string;
}

export class ThreadCreation {
  @ApiPropertyOptional({ type: 'array', items: { type: 'object', additionalProperties: true } })
  messages?: object[];
}

export class ThreadMessageCreation {
  @ApiPropertyOptional({ type: 'string', example: 'user' })
  role?: string;

  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'object', additionalProperties: true } }],
  })
  content?: string | object[];
}

export class VectorStoreChange {
  @ApiPropertyOptional({ type: 'string' })
  name?: string;
}

export class VectorStoreFileCreation {
  @ApiPropertyOptional({ type: 'string', description: 'An uploaded file.', example: 'file-abc123' })
  file_id?: string;
}
