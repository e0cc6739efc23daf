import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { forbidden, missingSession } from '../platform/errors/error-factories.js';
import { allows, type Role } from './operators/role.rules.js';
import { SessionsService } from './operators/sessions.service.js';
import { clientAddressOf } from './client-address.js';
import { requireCsrfToken } from './csrf.js';
import { renewsCookie, sessionCookieOf, setCookieOf } from './session-cookie.js';

/** Authenticates operators by their session cookie (D19). */
@Injectable()
export class SessionAuthentication {
  constructor(private readonly sessions: SessionsService) {}

  /**
   * Authenticates the session cookie, and renews it if the session was extended.
   * @param least the lowest role that the route accepts
   * @throws GatewayError `missing_api_key` without an active session of an enabled operator
   * @throws GatewayError `forbidden` if the role is too low, or if a method other than GET lacks the session's CSRF token
   */
  async admit(request: FastifyRequest, least: Role): Promise<true> {
    const { ctx, headers } = request;
    const cookie = sessionCookieOf(request);
    const found = cookie === null ? null : await this.sessions.find(cookie.token);
    if (cookie === null || found === null)
      throw missingSession(ctx.route?.kind === 'dashboard' ? 'dashboard' : 'admin');
    const { session, operator, extended } = found;
    if (!allows(operator.role, least))
      throw forbidden('The role of this operator does not allow this request. Ask an owner for a higher role.');
    requireCsrfToken(this.sessions, session, { method: ctx.method, given: headers['x-csrf-token'] });
    ctx.actor = { type: 'operator', id: operator.id, requestId: ctx.requestId, ip: clientAddressOf(request) };
    ctx.session = { session, operator };
    if (renewsCookie(extended, ctx.route))
      ctx.response.setCookie = setCookieOf(cookie, this.sessions.cookieSecondsOf(session));
    return true;
  }
}
