import { ApiProperty } from '@nestjs/swagger';

export class DeletedResourceResponse {
  @ApiProperty({ format: 'uuid', example: '0192f0c1-7a3e-4b21-9d6e-3f1c2a5b7d80' })
  id: string;

  @ApiProperty({ enum: [true] })
  deleted: true;
}

export class DeletedNumberedResponse {
  @ApiProperty({ type: 'integer', minimum: 1, example: 3 })
  id: number;

  @ApiProperty({ enum: [true] })
  deleted: true;
}
