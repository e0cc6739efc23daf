import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import { tooManyCalls } from '../errors/catalogue.js';
import { contextOf, requestOf } from '../request-context/context.decorator.js';
import { clientAddressOf, UntrustedProxyWarning } from './client-address.js';
import { FloodWindows } from './flood-windows.js';

/** Per address and process; `ttl` in milliseconds. No admin script sends this many requests. */
const CALLS = { name: 'calls', ttl: 60_000, limit: 60_000 };
/** Requests that hash a password, which is expensive. At most as many as can wait for a hash, so one address cannot fill the queue. */
const PASSWORDS = { name: 'passwords', ttl: 10_000, limit: 200 };

export const floodLimits = (): ThrottlerModuleOptions => ({
  storage: new FloodWindows(() => performance.now()),
  // In this gateway, X-RateLimit headers describe API keys.
  setHeaders: false,
  generateKey: (_host, address, name) => `${name} ${address}`,
  throttlers: [CALLS, { ...PASSWORDS, skipIf: (host) => !bringsPassword(host) }],
});

function bringsPassword(host: ExecutionContext): boolean {
  const { route, method } = contextOf(host);
  return route?.kind === 'dashboard' && method === 'POST';
}

/** Counts requests per client address. The throttler groups IPv6 addresses by their /64. */
@Injectable()
export class AddressLimits extends ThrottlerGuard {
  protected override getTracker(request: FastifyRequest): Promise<string> {
    return super.getTracker({ ip: clientAddressOf(request) });
  }

  protected override throwThrottlingException(
    _host: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    throw tooManyCalls(timeToBlockExpire);
  }
}

/**
 * Limits floods of requests under /admin and /dashboard, per address and process, before stage 3 (429). It is generous and is
 * not the lockout for wrong passwords. /v1 does not need it, because keys have their own limits.
 */
@Injectable()
export class FloodGuard implements CanActivate {
  constructor(
    private readonly limits: AddressLimits,
    private readonly untrusted: UntrustedProxyWarning,
  ) {}

  canActivate(host: ExecutionContext): true | Promise<boolean> {
    const kind = contextOf(host).route?.kind;
    if (kind !== 'admin' && kind !== 'dashboard') return true;
    this.untrusted.look(requestOf(host));
    return this.limits.canActivate(host);
  }
}
