import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChatUsage } from '../chat/chat-completion.response.dto.js';

class CompletionChoice {
  @ApiProperty({ type: 'string' })
  text: string;

  @ApiProperty({ type: 'integer' })
  index: number;

  @ApiProperty({ type: 'null' })
  logprobs: null;

  @ApiProperty({ type: 'string', nullable: true, example: 'stop' })
  finish_reason: string | null;
}

export class Completion {
  @ApiProperty({ type: 'string', example: 'cmpl-9x2k' })
  id: string;

  @ApiProperty({ type: 'string', enum: ['text_completion'] })
  object: 'text_completion';

  @ApiProperty({ type: 'integer', description: 'Unix timestamp in seconds.' })
  created: number;

  @ApiProperty({ type: 'string' })
  model: string;

  @ApiProperty({ type: [CompletionChoice] })
  choices: CompletionChoice[];

  @ApiPropertyOptional({
    type: ChatUsage,
    nullable: true,
    description: 'In a stream, only in the last chunk and only if requested.',
  })
  usage?: ChatUsage | null;
}
