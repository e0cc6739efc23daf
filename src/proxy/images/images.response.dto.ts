import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/*
 * What the API description shows of an answer with images. The answers themselves are the upstream's, byte for byte.
 */

class ImageData {
  @ApiPropertyOptional({ type: 'string' })
  url?: string;

  @ApiPropertyOptional({ type: 'string' })
  b64_json?: string;
}

export class ImagesResult {
  @ApiProperty({ type: 'integer', description: 'Seconds since 1970.' })
  created: number;

  @ApiProperty({ type: [ImageData] })
  data: ImageData[];
}
