import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { clientAddressOf } from '../../auth/client-address.js';
import type { SignedIn } from '../../auth/operators/session.js';
import { SessionsService } from '../../auth/operators/sessions.service.js';
import { SignIn } from '../../auth/operators/sign-in.service.js';
import { newSessionCookie, noCookieOf, setCookieOf } from '../../auth/session-cookie.js';
import type { CallerSession } from '../../platform/request-context/caller-session.js';

/** Opens and ends the session of a request, and sets its cookie in the response. */
@Injectable()
export class DashboardSessions {
  constructor(
    private readonly signIns: SignIn,
    private readonly sessions: SessionsService,
  ) {}

  /** Always opens a new session, and ignores an existing cookie. @throws the errors of `SignIn.signIn` */
  async signIn(credentials: { email: string; password: string }, request: FastifyRequest): Promise<SignedIn> {
    const signedIn = await this.signIns.signIn(credentials, {
      ip: clientAddressOf(request),
      userAgent: request.headers['user-agent'] ?? null,
      requestId: request.ctx.requestId,
    });
    const cookie = newSessionCookie(request, signedIn.token);
    request.ctx.response.setCookie = setCookieOf(cookie, this.sessions.cookieSecondsOf(signedIn.session));
    return signedIn;
  }

  withCsrfToken(caller: CallerSession): CallerSession & Pick<SignedIn, 'csrfToken'> {
    return { ...caller, csrfToken: this.sessions.csrfTokenOf(caller.session) };
  }

  async signOut(request: FastifyRequest): Promise<void> {
    const { session, actor, response } = request.ctx;
    await this.sessions.signOut(session!.session, actor!);
    response.setCookie = noCookieOf(request);
  }
}
