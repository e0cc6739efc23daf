import { Get, Post } from '@nestjs/common';
import { KeyQuotaService } from '../../keys/key-quota.service.js';
import type { AdminActor } from '../../request-context/caller-session.js';
import { AdminRoute } from '../../routes/route-spec.js';
import { Actor } from '../actor.decorator.js';
import { AdminBody } from '../admin-body.decorator.js';
import { AdminController } from '../admin-controller.decorator.js';
import { Answers } from '../answers.decorator.js';
import { KeyId, UNKNOWN_KEY } from './key-id.decorator.js';
import { ResetQuotaRequest } from './key-quota.request.dto.js';
import { KeyQuotaResponse, QuotaResetResponse } from './key-quota.response.dto.js';

/** What a key has used of its limits, and how it begins anew. */
@AdminController('api-keys')
export class KeyQuotaController {
  constructor(private readonly quota: KeyQuotaService) {}

  @Get(':id/quota')
  @AdminRoute({ role: 'viewer' })
  @Answers(200, { summary: 'Read what a key has used', type: KeyQuotaResponse, notFound: UNKNOWN_KEY })
  async read(@KeyId() id: string) {
    return KeyQuotaResponse.of(await this.quota.read(id));
  }

  @Post(':id/reset-quota')
  @AdminRoute({ role: 'admin' })
  @Answers(200, {
    summary: 'Count the requests of a key from nothing',
    type: QuotaResetResponse,
    notFound: UNKNOWN_KEY,
  })
  async reset(
    @KeyId() id: string,
    @AdminBody(ResetQuotaRequest) { window = 'all' }: ResetQuotaRequest,
    @Actor() actor: AdminActor,
  ): Promise<QuotaResetResponse> {
    await this.quota.reset(id, window, actor);
    return { key_id: id, window, reset: true };
  }
}
