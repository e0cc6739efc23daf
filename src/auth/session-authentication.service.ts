import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { forbidden, missingSession } from '../errors/catalogue.js';
import { allows, type Role } from '../operators/account.rules.js';
import { SessionsService } from '../operators/sessions.service.js';
import { clientAddressOf } from './client-address.js';
import { requireCsrfToken } from './csrf.js';
import { cookieWith, isCookieSentAgain, sessionTokenOf } from './credentials.js';

/** Who calls by the session cookie, and whether the call is theirs to make. */
@Injectable()
export class SessionAuthentication {
  constructor(private readonly sessions: SessionsService) {}

  /**
   * Leaves actor and session in the context, and the cookie where it has to be sent again.
   * @param least role that the route asks for
   * @throws GatewayError `missing_api_key` without a live session: none, unknown, expired, or of an operator who is
   *   disabled or gone; `forbidden` where the role is too low, and where a call that may change something comes without
   *   the session's CSRF token
   */
  async admit(request: FastifyRequest, least: Role): Promise<true> {
    const { ctx, headers } = request;
    const token = sessionTokenOf(headers.cookie);
    const found = token === null ? null : await this.sessions.find(token);
    if (token === null || found === null) throw missingSession(ctx.route?.kind === 'dashboard' ? 'dashboard' : 'admin');
    const { session, operator, extended } = found;
    if (!allows(operator.role, least)) throw forbidden('The role of this operator does not allow this call.');
    requireCsrfToken(this.sessions, session, { method: ctx.method, given: headers['x-csrf-token'] });
    ctx.actor = { type: 'operator', id: operator.id, requestId: ctx.requestId, ip: clientAddressOf(request) };
    ctx.session = { session, operator };
    if (isCookieSentAgain(extended, ctx.route)) ctx.response.setCookie = cookieWith(token);
    return true;
  }
}
