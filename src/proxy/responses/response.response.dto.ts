import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

class ResponseUsage {
  @ApiProperty({ type: 'integer' })
  input_tokens: number;

  @ApiProperty({ type: 'integer' })
  output_tokens: number;

  @ApiProperty({ type: 'integer' })
  total_tokens: number;
}

class ResponseContent {
  @ApiProperty({ type: 'string', example: 'output_text' })
  type: string;

  @ApiPropertyOptional({ type: 'string' })
  text?: string;
}

class ResponseOutputItem {
  @ApiProperty({ type: 'string', example: 'message' })
  type: string;

  @ApiPropertyOptional({ type: 'string', example: 'assistant' })
  role?: string;

  @ApiPropertyOptional({ type: [ResponseContent] })
  content?: ResponseContent[];
}

export class ModelResponse {
  @ApiProperty({ type: 'string', example: 'resp_67ccd2bed1ec8190b14f964abc054267' })
  id: string;

  @ApiProperty({ type: 'string', enum: ['response'] })
  object: 'response';

  @ApiProperty({ type: 'number', description: 'Unix timestamp in seconds.' })
  created_at: number;

  @ApiProperty({ type: 'string' })
  model: string;

  @ApiProperty({ type: [ResponseOutputItem] })
  output: ResponseOutputItem[];

  @ApiPropertyOptional({ type: ResponseUsage, nullable: true })
  usage?: ResponseUsage | null;
}

export class ResponseStreamEvent {
  @ApiProperty({
    type: 'string',
    examples: ['response.created', 'response.in_progress', 'response.output_text.delta', 'response.completed'],
  })
  type: string;

  @ApiPropertyOptional({ type: 'integer' })
  sequence_number?: number;

  @ApiPropertyOptional({ type: ModelResponse, description: 'From `response.created` to `response.completed`.' })
  response?: ModelResponse;

  @ApiPropertyOptional({ type: 'string', description: 'In `response.output_text.delta`.' })
  delta?: string;
}

export class DeletedResponse {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string', example: 'response' })
  object: string;

  @ApiProperty({ type: 'boolean' })
  deleted: boolean;
}
