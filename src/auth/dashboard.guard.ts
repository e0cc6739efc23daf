import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { badRequest, forbidden } from '../errors/catalogue.js';
import { requestOf } from '../request-context/context.decorator.js';
import { judgeSignInOrigin } from './csrf.js';
import { SessionAuthentication } from './session-authentication.service.js';

/** Stage 3 of the routes under /dashboard: the session cookie only, and for signing in where the page is (D19). */
@Injectable()
export class DashboardGuard implements CanActivate {
  constructor(private readonly callers: SessionAuthentication) {}

  /** @throws GatewayError as `SessionAuthentication.admit`; for signing in `forbidden`, `bad_request` */
  canActivate(host: ExecutionContext): true | Promise<true> {
    const request = requestOf(host);
    const { route } = request.ctx;
    if (route?.kind !== 'dashboard') return true;
    return route.session === 'required' ? this.callers.admit(request, 'viewer') : admitSignIn(request);
  }
}

function admitSignIn({ headers, host }: FastifyRequest): true {
  const origin = judgeSignInOrigin(headers.origin, host);
  switch (origin) {
    case 'own':
      return true;
    case 'foreign':
      throw forbidden(
        'Signing in works from the page of this gateway only; a proxy in front of it has to pass the Host header on.',
      );
    case 'insecure':
      throw badRequest('Signing in works over https only: over plain http the browser would not keep the session.');
    default:
      return origin satisfies never;
  }
}
