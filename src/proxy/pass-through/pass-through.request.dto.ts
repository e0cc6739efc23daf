import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ModelIfAny } from './model-if-any.request.dto.js';

/*
 * What the API description shows of bodies that go upstream as they came. But for `model` nothing of them is checked here,
 * and other members are forwarded too.
 */

export class FileUpload {
  @ApiProperty({ type: 'string', example: 'assistants' })
  purpose: string;

  @ApiProperty({ type: 'string', format: 'binary' })
  file: string;
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
  @ApiProperty({ type: 'string', example: 'asst_abc123' })
  assistant_id: string;
}

export class ThreadCreation {
  @ApiPropertyOptional({ type: 'array', items: { type: 'object', additionalProperties: true } })
  messages?: object[];
}

export class ThreadMessageCreation {
  @ApiProperty({ type: 'string', example: 'user' })
  role: string;

  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'object', additionalProperties: true } }],
  })
  content: string | object[];
}

export class VectorStoreChange {
  @ApiPropertyOptional({ type: 'string' })
  name?: string;
}

export class VectorStoreFileCreation {
  @ApiProperty({ type: 'string', description: 'A file uploaded before.', example: 'file-abc123' })
  file_id: string;
}
