import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { forbidden, missingSession } from '../errors/error-factories.js';
import { allows, type Role } from '../operators/account.rules.js';
import { SessionsService, type Session } from '../operators/sessions.service.js';
import { clientAddressOf } from './client-address.js';
import { cookieWith, renewsCookie, sessionTokenOf } from './credentials.js';

@Injectable()
export class SessionAuthentication {
  constructor(private readonly sessions: SessionsService) {}

  /**
   * Writes actor and session to the context, and the cookie if the response renews it.
   * @param least the lowest role that the route accepts
   * @throws GatewayError `missing_api_key` without an active session of an enabled operator
   * @throws GatewayError `forbidden` if the role is too low, or if a method other than GET lacks the session's CSRF token
   */
  async admit(request: FastifyRequest, least: Role): Promise<true> {
    const { ctx, headers } = request;
    const token = sessionTokenOf(headers.cookie);
    const found = token === null ? null : await this.sessions.find(token);
    if (token === null || found === null) throw missingSession(ctx.route?.kind === 'dashboard' ? 'dashboard' : 'admin');
    const { session, operator, extended } = found;
    if (!allows(operator.role, least))
      throw forbidden('The role of this operator does not allow this request. Ask an owner for a higher role.');
    requireCsrfToken(this.sessions, session, { method: ctx.method, given: headers['x-csrf-token'] });
    ctx.actor = { type: 'operator', id: operator.id, requestId: ctx.requestId, ip: clientAddressOf(request) };
    ctx.session = { session, operator };
    if (renewsCookie(extended, ctx.route)) ctx.response.setCookie = cookieWith(token);
    return true;
  }
}

/** `insecure`: this gateway over plain HTTP outside localhost, where the browser silently drops the `Secure` cookie (D19). */
type OriginVerdict = 'own' | 'foreign' | 'insecure';

const LOCALHOST = new Set(['localhost', '127.0.0.1', '[::1]']);

/** @param origin undefined if the request does not come from a page @param host with the port unless it is the default */
export function judgeSignInOrigin(origin: string | undefined, host: string): OriginVerdict {
  if (origin === undefined) return 'own';
  const page = urlOf(origin);
  // Both URLs have the page's scheme, so that they omit the same default port.
  const here = page === null ? null : urlOf(`${page.protocol}//${host}`);
  if (page === null || here === null || page.host !== here.host) return 'foreign';
  return page.protocol === 'http:' && !LOCALHOST.has(page.hostname) ? 'insecure' : 'own';
}

function urlOf(origin: string): URL | null {
  if (!/^https?:\/\/[^/?#@\\]+$/i.test(origin) || !URL.canParse(origin)) return null;
  return new URL(origin);
}

function requireCsrfToken(
  sessions: SessionsService,
  session: Session,
  { method, given }: { readonly method: string; readonly given: string | string[] | undefined },
): void {
  if (method === 'GET' || (typeof given === 'string' && sessions.isCsrfToken(session, given))) return;
  throw forbidden(
    'The `X-CSRF-Token` header is missing or does not match this session. Send the `csrf_token` from the sign-in response.',
  );
}
