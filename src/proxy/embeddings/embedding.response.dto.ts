import { ApiProperty } from '@nestjs/swagger';

class EmbeddingUsage {
  @ApiProperty({ type: 'integer' })
  prompt_tokens: number;

  @ApiProperty({ type: 'integer' })
  total_tokens: number;
}

class Embedding {
  @ApiProperty({ type: 'string', enum: ['embedding'] })
  object: 'embedding';

  @ApiProperty({ type: 'integer' })
  index: number;

  @ApiProperty({
    oneOf: [
      { type: 'array', items: { type: 'number' } },
      { type: 'string', description: 'With `encoding_format: "base64"`.' },
    ],
  })
  embedding: number[] | string;
}

export class EmbeddingList {
  @ApiProperty({ type: 'string', enum: ['list'] })
  object: 'list';

  @ApiProperty({ type: [Embedding] })
  data: Embedding[];

  @ApiProperty({ type: 'string' })
  model: string;

  @ApiProperty({ type: EmbeddingUsage })
  usage: EmbeddingUsage;
}
