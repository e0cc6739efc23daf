import { Post } from '@nestjs/common';
import { BulkTransitions } from '../../keys/bulk-transitions.service.js';
import type { AdminActor } from '../../request-context/caller-session.js';
import { AdminRoute } from '../../routes/route-spec.js';
import { Actor } from '../actor.decorator.js';
import { AdminBody } from '../admin-body.decorator.js';
import { AdminController } from '../admin-controller.decorator.js';
import { Answers } from '../answers.decorator.js';
import { BulkKeysRequest } from './bulk-keys.request.dto.js';
import { BulkRevokeResponse, BulkStatusResponse } from './bulk-keys.response.dto.js';

/** The same for up to 500 keys at once. The call is 200 whatever became of each: its answer tells. */
@AdminController('api-keys')
export class BulkKeysController {
  constructor(private readonly keys: BulkTransitions) {}

  @Post('bulk-suspend')
  @AdminRoute({ role: 'admin' })
  @Answers(200, { summary: 'Suspend keys', type: BulkStatusResponse })
  async suspend(@AdminBody(BulkKeysRequest) { ids }: BulkKeysRequest, @Actor() actor: AdminActor) {
    return BulkStatusResponse.of(await this.keys.change('suspend', ids, actor));
  }

  @Post('bulk-unsuspend')
  @AdminRoute({ role: 'admin' })
  @Answers(200, { summary: 'Unsuspend keys', type: BulkStatusResponse })
  async unsuspend(@AdminBody(BulkKeysRequest) { ids }: BulkKeysRequest, @Actor() actor: AdminActor) {
    return BulkStatusResponse.of(await this.keys.change('unsuspend', ids, actor));
  }

  @Post('bulk-revoke')
  @AdminRoute({ role: 'admin' })
  @Answers(200, { summary: 'Revoke keys for good', type: BulkRevokeResponse })
  async revoke(@AdminBody(BulkKeysRequest) { ids }: BulkKeysRequest, @Actor() actor: AdminActor) {
    return BulkRevokeResponse.of(await this.keys.change('revoke', ids, actor));
  }
}
