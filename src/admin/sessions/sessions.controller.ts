import { Delete, Get, Param } from '@nestjs/common';
import { visibleSessionsOf } from '../../auth/operators/role.rules.js';
import { SessionsService } from '../../auth/operators/sessions.service.js';
import type { AdminActor, CallerSession } from '../../platform/request-context/caller-session.js';
import { ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { Actor, AdminController, Responds, Caller } from '../admin.decorators.js';
import { UuidPipe } from '../id.pipes.js';
import {
  EndedSessionsResponse,
  EndSessionsRequest,
  ListSessionsRequest,
  operatorOf,
  sessionFilterOf,
  SessionListResponse,
} from './session.dto.js';
import { DeletedResourceResponse } from '../deleted.dto.js';

/** An operator who is not an owner sees only their own sessions (D17). */
@AdminController('sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List sessions', type: SessionListResponse })
  async list(@ValidQuery(ListSessionsRequest) query: ListSessionsRequest, @Caller() caller: CallerSession | null) {
    return SessionListResponse.of(
      await this.sessions.list(sessionFilterOf(query, caller), query),
      query.offset,
      caller,
    );
  }

  @Delete()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, {
    summary: 'End all sessions of an operator, except the session of the request',
    type: EndedSessionsResponse,
    notFound: 'no operator has this ID, or it is another operator and the caller is not an owner.',
  })
  async endAll(
    @ValidQuery(EndSessionsRequest) query: EndSessionsRequest,
    @Caller() caller: CallerSession | null,
    @Actor() actor: AdminActor,
  ) {
    return EndedSessionsResponse.of(
      await this.sessions.revokeAll(operatorOf(query, caller), caller?.session.id ?? null, actor),
    );
  }

  @Delete(':id')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, {
    summary: 'End a session',
    type: DeletedResourceResponse,
    notFound: 'no session has this ID, or it belongs to another operator and the caller is not an owner.',
  })
  end(
    @Param('id', new UuidPipe('Session not found')) id: string,
    @Caller() caller: CallerSession | null,
    @Actor() actor: AdminActor,
  ): Promise<DeletedResourceResponse> {
    return this.sessions.revoke(id, visibleSessionsOf(caller), actor).then(() => ({ id, deleted: true }));
  }
}
