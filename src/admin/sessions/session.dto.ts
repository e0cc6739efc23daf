import { ApiProperty } from '@nestjs/swagger';
import type { Session } from '../../auth/operators/sessions.service.js';
import type { CallerSession } from '../../platform/request-context/caller-session.js';
import { visibleSessionsOf } from '../../auth/operators/role.rules.js';
import { notFound, validationError } from '../../platform/errors/error-factories.js';
import { QueryUuid } from '../../platform/validation/query-fields.js';
import { Page, pageOf, PageRequest } from '../page.dto.js';
import { TIME } from '../fields.data.js';

const ID = { format: 'uuid', example: '0192f0c1-7a3e-4b21-9d6e-3f1c2a5b7d80' } as const;

export class ListSessionsRequest extends PageRequest {
  @QueryUuid('Only sessions of this operator.')
  operator_id?: string;
}

export const sessionFilterOf = ({ operator_id: id }: ListSessionsRequest, caller: CallerSession | null) => ({
  visibleOf: visibleSessionsOf(caller),
  operatorId: id ?? null,
});

export class EndSessionsRequest {
  @QueryUuid('The operator. The default is the operator of the request. Required with the admin key.')
  operator_id?: string;
}

/** @throws GatewayError `not_found` if the caller cannot see the operator's sessions, `validation_error` without an operator */
export function operatorOf({ operator_id: given }: EndSessionsRequest, caller: CallerSession | null): string {
  const id = given ?? caller?.operator.id;
  if (id === undefined)
    throw validationError('operator_id', '`operator_id` is required with the admin key. Send the ID of an operator.');
  const visible = visibleSessionsOf(caller);
  if (visible !== null && visible !== id) throw notFound('Operator not found');
  return id;
}

export class SessionResponse {
  @ApiProperty(ID)
  id: string;

  @ApiProperty(ID)
  operator_id: string;

  @ApiProperty(TIME)
  created_at: Date;

  @ApiProperty({ ...TIME, description: 'Accurate to 15 minutes.' })
  last_seen_at: Date;

  @ApiProperty(TIME)
  expires_at: Date;

  @ApiProperty({ type: String, nullable: true, description: 'Address of the sign-in.', example: '203.0.113.7' })
  ip: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0)' })
  user_agent: string | null;

  @ApiProperty({ description: 'Whether this is the session of the request.' })
  current: boolean;

  static of(session: Session, caller: CallerSession | null): SessionResponse {
    return {
      id: session.id,
      operator_id: session.operatorId,
      created_at: session.createdAt,
      last_seen_at: session.lastSeenAt,
      expires_at: session.expiresAt,
      ip: session.ip,
      user_agent: session.userAgent,
      current: session.id === caller?.session.id,
    };
  }
}

export class SessionListResponse extends Page {
  @ApiProperty({ type: [SessionResponse] })
  sessions: SessionResponse[];

  static of(
    { total, sessions }: { total: number; sessions: Session[] },
    offset: number,
    caller: CallerSession | null,
  ): SessionListResponse {
    const rows = sessions.map((session) => SessionResponse.of(session, caller));
    return { ...pageOf(total, offset, rows.length), sessions: rows };
  }
}

export class EndedSessionsResponse {
  @ApiProperty(ID)
  operator_id: string;

  @ApiProperty({ type: 'integer', minimum: 0, example: 3, description: 'Number of sessions that ended.' })
  ended: number;

  static of({ operatorId, ended }: { operatorId: string; ended: number }): EndedSessionsResponse {
    return { operator_id: operatorId, ended };
  }
}
