import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class ChatUsage {
  @ApiProperty({ type: 'integer' })
  prompt_tokens: number;

  @ApiProperty({ type: 'integer' })
  completion_tokens: number;

  @ApiProperty({ type: 'integer' })
  total_tokens: number;
}

class ChatMessage {
  @ApiProperty({ type: 'string', example: 'assistant' })
  role: string;

  @ApiProperty({ type: 'string', nullable: true })
  content: string | null;
}

class ChatChoice {
  @ApiProperty({ type: 'integer' })
  index: number;

  @ApiProperty({ type: ChatMessage })
  message: ChatMessage;

  @ApiProperty({ type: 'string', nullable: true, example: 'stop' })
  finish_reason: string | null;
}

export class ChatCompletion {
  @ApiProperty({ type: 'string', example: 'chatcmpl-9x2k' })
  id: string;

  @ApiProperty({ type: 'string', enum: ['chat.completion'] })
  object: 'chat.completion';

  @ApiProperty({ type: 'integer', description: 'Unix timestamp in seconds.' })
  created: number;

  @ApiProperty({ type: 'string' })
  model: string;

  @ApiProperty({ type: [ChatChoice] })
  choices: ChatChoice[];

  @ApiProperty({ type: ChatUsage })
  usage: ChatUsage;
}

class ChatDelta {
  @ApiPropertyOptional({ type: 'string' })
  role?: string;

  @ApiPropertyOptional({ type: 'string', nullable: true })
  content?: string | null;
}

class ChatChunkChoice {
  @ApiProperty({ type: 'integer' })
  index: number;

  @ApiProperty({ type: ChatDelta })
  delta: ChatDelta;

  @ApiProperty({ type: 'string', nullable: true })
  finish_reason: string | null;
}

export class ChatCompletionChunk {
  @ApiProperty({ type: 'string', example: 'chatcmpl-9x2k' })
  id: string;

  @ApiProperty({ type: 'string', enum: ['chat.completion.chunk'] })
  object: 'chat.completion.chunk';

  @ApiProperty({ type: 'integer', description: 'Unix timestamp in seconds.' })
  created: number;

  @ApiProperty({ type: 'string' })
  model: string;

  @ApiProperty({ type: [ChatChunkChoice] })
  choices: ChatChunkChoice[];

  @ApiPropertyOptional({ type: ChatUsage, nullable: true, description: 'In the last chunk, if requested.' })
  usage?: ChatUsage | null;
}
