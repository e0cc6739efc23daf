import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChatUsage } from '../chat/chat-completion.response.dto.js';

/* What the API description shows. The answers are made of chat answers, or are the upstream's own for base models. */

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

/** A whole completion, and one `data:` line of a stream, which ends with `data: [DONE]`. */
export class Completion {
  @ApiProperty({ type: 'string', example: 'cmpl-9x2k' })
  id: string;

  @ApiProperty({ type: 'string', enum: ['text_completion'] })
  object: 'text_completion';

  @ApiProperty({ type: 'integer', description: 'Seconds since 1970.' })
  created: number;

  @ApiProperty({ type: 'string' })
  model: string;

  @ApiProperty({ type: [CompletionChoice] })
  choices: CompletionChoice[];

  @ApiPropertyOptional({
    type: ChatUsage,
    nullable: true,
    description: 'In a stream in the last chunk, where it was asked for.',
  })
  usage?: ChatUsage | null;
}
