import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { badRequest, forbidden } from '../platform/errors/error-factories.js';
import { requestOf } from '../platform/request-context/context.decorator.js';
import { SessionAuthentication } from './session-authentication.service.js';
import { judgeSignInOrigin } from './csrf.js';

/** Stage 3 under /dashboard: authenticates the session cookie, or checks the origin of a sign-in (D19). */
@Injectable()
export class DashboardGuard implements CanActivate {
  constructor(private readonly sessions: SessionAuthentication) {}

  canActivate(host: ExecutionContext): true | Promise<true> {
    const request = requestOf(host);
    const { route } = request.ctx;
    if (route?.kind !== 'dashboard') return true;
    return route.session === 'required' ? this.sessions.admit(request, 'viewer') : admitSignIn(request);
  }
}

function admitSignIn({ headers, host }: FastifyRequest): true {
  const origin = judgeSignInOrigin(headers.origin, host);
  switch (origin) {
    case 'own':
      return true;
    case 'foreign':
      throw forbidden(
        "Sign in on this gateway's own dashboard page. If a proxy is in front of the gateway, configure it to forward the Host header.",
      );
    case 'insecure':
      throw badRequest(
        'Sign-in requires HTTPS except on localhost, because the browser drops the session cookie over plain HTTP. Use an https address.',
      );
    default:
      return origin satisfies never;
  }
}
