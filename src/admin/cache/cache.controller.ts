import { Post } from '@nestjs/common';
import type { AdminActor } from '../../request-context/caller-session.js';
import { AdminRoute } from '../../routes/route-spec.js';
import { Actor } from '../actor.decorator.js';
import { AdminController } from '../admin-controller.decorator.js';
import { Answers } from '../answers.decorator.js';
import { CachePurge } from './cache-purge.service.js';
import { PurgedCacheResponse } from './purged-cache.response.dto.js';

@AdminController('cache')
export class CacheController {
  constructor(private readonly caches: CachePurge) {}

  @Post('purge')
  @AdminRoute({ role: 'admin' })
  @Answers(200, { summary: 'Read models, keys and policy anew in every process', type: PurgedCacheResponse })
  async purge(@Actor() actor: AdminActor): Promise<PurgedCacheResponse> {
    return { purged: await this.caches.purge(actor) };
  }
}
