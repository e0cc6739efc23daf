import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonObject } from '../../platform/validation/check.js';
import {
  ArrayField,
  BooleanField,
  Field,
  IntegerField,
  NumberField,
  ObjectField,
} from '../../platform/validation/fields.js';
import { modelName } from '../../platform/validation/model-name.rules.js';
import { string } from '../../platform/validation/scalar-kinds.js';
import { STOP_SEQUENCES_MAX } from '../../platform/validation/compound-kinds.js';
import { thinking } from '../chat/chat-field-kinds.js';
import { betas } from './betas-header.js';
import { content, turns, messageToolChoice, messageTools } from './message-content.rules.js';

export class MessageRequest {
  @Field(modelName, {
    required: true,
    readByGateway: 'required',
    description: 'ID of a chat model.',
    example: 'claude-3-5-sonnet-20241022',
  })
  model: string;

  @IntegerField({ required: true, min: 1, example: 256 })
  max_tokens: number;

  @Field(turns, { required: true, example: [{ role: 'user', content: 'Say hello.' }] })
  messages: JsonObject[];

  @Field(content, { description: 'System prompt.' })
  system?: string | JsonObject[] | null;

  @NumberField({ min: 0, max: 1 })
  temperature?: number | null;

  @NumberField({ min: 0, max: 1 })
  top_p?: number | null;

  @IntegerField({ min: 1 })
  top_k?: number | null;

  @BooleanField({ readByGateway: 'optional', description: 'Sends the response as server-sent events.' })
  stream?: boolean | null;

  @ArrayField(string(), { max: STOP_SEQUENCES_MAX })
  stop_sequences?: string[] | null;

  @Field(messageTools)
  tools?: JsonObject[] | null;

  @Field(messageToolChoice)
  tool_choice?: JsonObject | null;

  @Field(thinking)
  thinking?: JsonObject | null;

  @Field(betas, {
    description: 'Beta features. They are sent upstream in the `anthropic-beta` header instead of the body.',
  })
  betas?: string[] | null;

  @ObjectField({ user_id: string() })
  metadata?: { user_id?: string | null } | null;
}

class MessageUsage {
  @ApiProperty({ type: 'integer' })
  input_tokens: number;

  @ApiProperty({ type: 'integer' })
  output_tokens: number;
}

class MessageBlock {
  @ApiProperty({ type: 'string', example: 'text' })
  type: string;

  @ApiPropertyOptional({ type: 'string', example: 'Hello.' })
  text?: string;
}

export class Message {
  @ApiProperty({ type: 'string', example: 'msg_01XFDUDYJgAACzvnptvVoYEL' })
  id: string;

  @ApiProperty({ type: 'string', enum: ['message'] })
  type: 'message';

  @ApiProperty({ type: 'string', enum: ['assistant'] })
  role: 'assistant';

  @ApiProperty({ type: [MessageBlock] })
  content: MessageBlock[];

  @ApiProperty({ type: 'string' })
  model: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'end_turn' })
  stop_reason: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  stop_sequence: string | null;

  @ApiProperty({ type: MessageUsage })
  usage: MessageUsage;
}

export class MessageStreamEvent {
  @ApiProperty({
    type: 'string',
    enum: [
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
      'ping',
      'error',
    ],
  })
  type: string;

  @ApiPropertyOptional({
    type: Message,
    description: 'In `message_start`: the message with its `input_tokens`, without content.',
  })
  message?: Message;

  @ApiPropertyOptional({ type: 'integer', description: 'In `content_block_*`: the index of the block.' })
  index?: number;

  @ApiPropertyOptional({ type: MessageBlock, description: 'In `content_block_start`.' })
  content_block?: MessageBlock;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'In `content_block_delta`: a piece of the block. In `message_delta`: the `stop_reason`.',
  })
  delta?: Record<string, unknown>;

  @ApiPropertyOptional({ type: MessageUsage, description: 'In `message_delta`: the `output_tokens` so far.' })
  usage?: MessageUsage;
}
