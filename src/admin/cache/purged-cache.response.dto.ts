import { ApiProperty } from '@nestjs/swagger';
import type { Purged } from './cache-purge.service.js';

export class PurgedCacheResponse {
  @ApiProperty({
    enum: ['catalog', 'keys', 'policy'],
    isArray: true,
    example: ['catalog', 'keys', 'policy'],
    description: 'Without `catalog` where the upstream could not be asked for its list.',
  })
  purged: Purged[];
}
