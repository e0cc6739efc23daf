import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Check } from '../../platform/validation/check.js';
import { CheckedField } from '../../platform/validation/fields.js';
import { modelName } from '../../platform/validation/model-name.rules.js';

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
    type: 'string',
    example: 'file-abc123',
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

export class StoredObject {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string', example: 'thread' })
  object: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Unix timestamp in seconds.' })
  created_at?: number;
}

export class StoredObjectList {
  @ApiProperty({ type: 'string', enum: ['list'] })
  object: 'list';

  @ApiProperty({ type: [StoredObject] })
  data: StoredObject[];
}

export class Deletion {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string', example: 'file' })
  object: string;

  @ApiProperty({ type: 'boolean' })
  deleted: boolean;
}

export class FileObject {
  @ApiProperty({ type: 'string', example: 'file-abc123' })
  id: string;

  @ApiProperty({ type: 'string', enum: ['file'] })
  object: 'file';

  @ApiProperty({ type: 'integer' })
  bytes: number;

  @ApiProperty({ type: 'integer', description: 'Unix timestamp in seconds.' })
  created_at: number;

  @ApiProperty({ type: 'string', example: 'notes.jsonl' })
  filename: string;

  @ApiProperty({ type: 'string', example: 'assistants' })
  purpose: string;
}

export class FileList {
  @ApiProperty({ type: 'string', enum: ['list'] })
  object: 'list';

  @ApiProperty({ type: [FileObject] })
  data: FileObject[];
}

export class Assistant {
  @ApiProperty({ type: 'string', example: 'asst_abc123' })
  id: string;

  @ApiProperty({ type: 'string', enum: ['assistant'] })
  object: 'assistant';

  @ApiProperty({ type: 'integer', description: 'Unix timestamp in seconds.' })
  created_at: number;

  @ApiProperty({ type: 'string', nullable: true })
  name: string | null;

  @ApiProperty({ type: 'string', example: 'gpt-4o' })
  model: string;

  @ApiProperty({ type: 'string', nullable: true })
  instructions: string | null;

  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  tools: object[];

  @ApiPropertyOptional({ type: [String] })
  file_ids?: string[];
}

export class AssistantList {
  @ApiProperty({ type: 'string', enum: ['list'] })
  object: 'list';

  @ApiProperty({ type: [Assistant] })
  data: Assistant[];
}

export class FileCounts {
  @ApiProperty({ type: 'integer' })
  in_progress: number;

  @ApiProperty({ type: 'integer' })
  completed: number;

  @ApiProperty({ type: 'integer' })
  failed: number;

  @ApiProperty({ type: 'integer' })
  cancelled: number;

  @ApiProperty({ type: 'integer' })
  total: number;
}

export class VectorStore {
  @ApiProperty({ type: 'string', example: 'vs_abc123' })
  id: string;

  @ApiProperty({ type: 'string', enum: ['vector_store'] })
  object: 'vector_store';

  @ApiProperty({ type: 'integer', description: 'Unix timestamp in seconds.' })
  created_at: number;

  @ApiProperty({ type: 'string', nullable: true })
  name: string | null;

  @ApiProperty({ type: 'string', example: 'completed' })
  status: string;

  @ApiProperty({ type: FileCounts })
  file_counts: FileCounts;
}

export class VectorStoreList {
  @ApiProperty({ type: 'string', enum: ['list'] })
  object: 'list';

  @ApiProperty({ type: [VectorStore] })
  data: VectorStore[];
}
