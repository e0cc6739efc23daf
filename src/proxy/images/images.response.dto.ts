import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

class ImageData {
  @ApiPropertyOptional({ type: 'string' })
  url?: string;

  @ApiPropertyOptional({ type: 'string' })
  b64_json?: string;
}

export class ImagesResult {
  @ApiProperty({ type: 'integer', description: 'Unix timestamp in seconds.' })
  created: number;

  @ApiProperty({ type: [ImageData] })
  data: ImageData[];
}
