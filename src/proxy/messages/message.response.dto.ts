import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

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
