import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import { tooManyCalls } from '../errors/catalogue.js';
import { contextOf, requestOf } from '../request-context/context.decorator.js';
import { clientAddressOf, UntrustedProxyWarning } from './client-address.js';
import { FloodWindows } from './flood-windows.js';

/** Of one address in one process; `ttl` in milliseconds. More than any script of an administrator calls. */
const CALLS = { name: 'calls', ttl: 60_000, limit: 60_000 };
/** Each hashes a password, which is expensive. At most as many as can wait for that, so that one address cannot fill the queue. */
const PASSWORDS = { name: 'passwords', ttl: 10_000, limit: 200 };

/** What the shield counts, by address: calls of /admin and /dashboard, and those among them that bring a password. */
export const floodLimits = (): ThrottlerModuleOptions => ({
  storage: new FloodWindows(() => performance.now()),
  // The X-RateLimit headers are about keys here.
  setHeaders: false,
  generateKey: (_host, address, name) => `${name} ${address}`,
  throttlers: [CALLS, { ...PASSWORDS, skipIf: (host) => !bringsPassword(host) }],
});

function bringsPassword(host: ExecutionContext): boolean {
  const { route, method } = contextOf(host);
  return route?.kind === 'dashboard' && method === 'POST';
}

/** The limits as the throttler counts them; an IPv6 address counts with its whole /64. */
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
 * Before stage 3 of /admin and /dashboard: a shield against floods, by address and process, generous (429). It is no
 * lockout, and /v1 has none: keys have their own limits.
 */
@Injectable()
export class FloodGuard implements CanActivate {
  constructor(
    private readonly limits: AddressLimits,
    private readonly untrusted: UntrustedProxyWarning,
  ) {}

  /** @throws GatewayError `rate_limit_exceeded` with `Retry-After`, before a byte of the body is read */
  canActivate(host: ExecutionContext): true | Promise<boolean> {
    const kind = contextOf(host).route?.kind;
    if (kind !== 'admin' && kind !== 'dashboard') return true;
    this.untrusted.look(requestOf(host));
    return this.limits.canActivate(host);
  }
}
