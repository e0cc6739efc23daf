import { Delete, Get, Param } from '@nestjs/common';
import { visibleSessionsOf } from '../../operators/operator.rules.js';
import { SessionsService } from '../../operators/sessions.service.js';
import type { AdminActor, CallerSession } from '../../request-context/caller-session.js';
import { ValidQuery } from '../../request-context/context.decorator.js';
import { AdminRoute } from '../../routes/route-spec.js';
import { Actor, AdminController, Responds, Caller } from '../admin.decorators.js';
import { UuidPipe } from '../id.pipes.js';
import { EndedSessionResponse, SessionListResponse } from './session.dto.js';
import { PageRequest } from '../page.dto.js';

/** An operator who is not an owner sees only their own sessions (D17). */
@AdminController('sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List sessions', type: SessionListResponse })
  async list(@ValidQuery(PageRequest) query: PageRequest, @Caller() caller: CallerSession | null) {
    return SessionListResponse.of(await this.sessions.list(visibleSessionsOf(caller), query), query.offset, caller);
  }

  @Delete(':id')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, {
    summary: 'End a session',
    type: EndedSessionResponse,
    notFound: 'no session has this ID, or it belongs to another operator and the caller is not an owner.',
  })
  async end(
    @Param('id', new UuidPipe('Session not found')) id: string,
    @Caller() caller: CallerSession | null,
    @Actor() actor: AdminActor,
  ): Promise<EndedSessionResponse> {
    await this.sessions.revoke(id, visibleSessionsOf(caller), actor);
    return { id, deleted: true };
  }
}
