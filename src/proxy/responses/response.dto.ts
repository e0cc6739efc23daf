import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonObject } from '../../platform/validation/check.js';
import { anything, arrayOf, either } from '../../platform/validation/compound-kinds.js';
import {
  BooleanField,
  EnumField,
  Field,
  IntegerField,
  NumberField,
  ObjectField,
  StringField,
} from '../../platform/validation/fields.js';
import { modelName } from '../../platform/validation/model-name.rules.js';
import { oneOf, string } from '../../platform/validation/scalar-kinds.js';
import { responseFormat } from '../chat/chat-field-kinds.js';
import { responseMetadata, responseToolChoice, responseTools } from './response-fields.rules.js';

/** The upstream validates the items. */
const input = either({ string: string(), array: arrayOf(anything, { min: 1 }) });

export class ResponseRequest {
  @Field(modelName, {
    required: true,
    readByGateway: 'optional',
    description: 'ID of an OpenAI text model.',
    example: 'gpt-4o-mini',
  })
  model: string;

  @Field(input, { required: true, example: 'Say hello.' })
  input: string | unknown[];

  @StringField()
  instructions?: string | null;

  @StringField({ description: 'ID of a stored response to continue from.' })
  previous_response_id?: string | null;

  @StringField({ max: 256 })
  user?: string | null;

  @IntegerField({ min: 16 })
  max_output_tokens?: number | null;

  @NumberField({ min: 0, max: 2 })
  temperature?: number | null;

  @NumberField({ min: 0, max: 1 })
  top_p?: number | null;

  @BooleanField({ readByGateway: 'optional', description: 'Sends the response as server-sent events.' })
  stream?: boolean | null;

  @BooleanField()
  store?: boolean | null;

  @BooleanField()
  parallel_tool_calls?: boolean | null;

  @EnumField(['auto', 'disabled'])
  truncation?: string | null;

  @Field(responseMetadata)
  metadata?: Record<string, string> | null;

  @ObjectField({ effort: oneOf('low', 'medium', 'high'), summary: string() })
  reasoning?: { effort?: string | null; summary?: string | null } | null;

  @Field(responseFormat)
  response_format?: JsonObject | null;

  @Field(responseTools, {
    description: 'Functions, flat or nested. Other types are rejected unless the operator allows them.',
  })
  tools?: JsonObject[] | null;

  @Field(responseToolChoice)
  tool_choice?: string | JsonObject | null;
}

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
