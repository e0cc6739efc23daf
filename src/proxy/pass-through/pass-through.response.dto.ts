import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

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
