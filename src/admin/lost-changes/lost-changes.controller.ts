import { Get, Post } from '@nestjs/common';
import { LostChangeStore } from '../../audit/lost-changes/lost-change.store.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { ValidBody, ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { Actor, AdminController, Responds } from '../admin.decorators.js';
import { LostChangeDecisions } from './lost-change-decisions.service.js';
import {
  DecidedLostChangesResponse,
  DecideLostChangesRequest,
  ListLostChangesRequest,
  LostChangeListResponse,
} from './lost-changes.dto.js';

@AdminController('lost-changes')
export class LostChangesController {
  constructor(
    private readonly store: LostChangeStore,
    private readonly decisions: LostChangeDecisions,
  ) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List changes that the database has lost, newest first', type: LostChangeListResponse })
  async list(@ValidQuery(ListLostChangesRequest) query: ListLostChangesRequest) {
    return LostChangeListResponse.of(await this.store.list(query.decided ?? null, query), query.offset);
  }

  @Post('apply')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Make lost changes again', type: DecidedLostChangesResponse })
  async apply(@ValidBody(DecideLostChangesRequest) { ids }: DecideLostChangesRequest, @Actor() actor: AdminActor) {
    return DecidedLostChangesResponse.of(await this.decisions.apply(ids ?? null, actor));
  }

  @Post('discard')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Keep the state of the database', type: DecidedLostChangesResponse })
  async discard(@ValidBody(DecideLostChangesRequest) { ids }: DecideLostChangesRequest, @Actor() actor: AdminActor) {
    return DecidedLostChangesResponse.of(await this.decisions.discard(ids ?? null, actor));
  }
}
