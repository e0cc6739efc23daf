import { Post } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { Actor, AdminController, Responds } from '../admin.decorators.js';
import { CachePurge, type Purged } from './cache-purge.service.js';

class PurgedCacheResponse {
  @ApiProperty({
    enum: ['catalog', 'keys', 'policy'],
    isArray: true,
    example: ['catalog', 'keys', 'policy'],
    description: 'Without `catalog` if the upstream did not return its models.',
  })
  purged: Purged[];
}

@AdminController('cache')
export class CacheController {
  constructor(private readonly caches: CachePurge) {}

  @Post('purge')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Purge the cached models, keys and policies of all processes', type: PurgedCacheResponse })
  async purge(@Actor() actor: AdminActor): Promise<PurgedCacheResponse> {
    return { purged: await this.caches.purge(actor) };
  }
}
