import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import { tooManyRequests } from '../errors/error-factories.js';
import { contextOf, requestOf } from '../request-context/context.decorator.js';
import { clientAddressOf, UntrustedProxyWarning } from './client-address.js';
import { FloodWindows } from './flood-windows.js';

/** Per address and process; `ttl` in milliseconds. No admin script sends this many requests. */
const REQUEST_LIMIT = { name: 'calls', ttl: 60_000, limit: 60_000 };
/** Hashing a password is expensive. The limit is the length of the sign-in queue, so that one address cannot fill it. */
const PASSWORD_LIMIT = { name: 'passwords', ttl: 10_000, limit: 200 };

export const floodLimits = (): ThrottlerModuleOptions => ({
  storage: new FloodWindows(() => performance.now()),
  // In this gateway, X-RateLimit headers describe API keys.
  setHeaders: false,
  generateKey: (_host, address, name) => `${name} ${address}`,
  throttlers: [REQUEST_LIMIT, { ...PASSWORD_LIMIT, skipIf: (host) => !carriesPassword(host) }],
});

function carriesPassword(host: ExecutionContext): boolean {
  const { route, method } = contextOf(host);
  return route?.kind === 'dashboard' && method === 'POST';
}

/** The throttler groups IPv6 addresses by their /64. */
@Injectable()
export class AddressLimits extends ThrottlerGuard {
  protected override getTracker(request: FastifyRequest): Promise<string> {
    return super.getTracker({ ip: clientAddressOf(request) });
  }

  protected override throwThrottlingException(
    _host: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    throw tooManyRequests(timeToBlockExpire);
  }
}

/** Limits floods under /admin and /dashboard before stage 3. This is not the lockout; keys under /v1 have their own limits. */
@Injectable()
export class FloodGuard implements CanActivate {
  constructor(
    private readonly limits: AddressLimits,
    private readonly proxyWarning: UntrustedProxyWarning,
  ) {}

  canActivate(host: ExecutionContext): true | Promise<boolean> {
    const kind = contextOf(host).route?.kind;
    if (kind !== 'admin' && kind !== 'dashboard') return true;
    this.proxyWarning.look(requestOf(host));
    return this.limits.canActivate(host);
  }
}
