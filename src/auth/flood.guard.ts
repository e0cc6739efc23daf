import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import {
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import { tooManyRequests } from '../platform/errors/error-factories.js';
import { contextOf, requestOf } from '../platform/request-context/context.decorator.js';
import { clientAddressOf, UntrustedProxyWarning } from './client-address.js';
import { LruCache } from '../platform/fairness/lru-cache.js';

/** About 1 MB. Beyond this number, the least recently used address is dropped and starts at zero again. */
const WINDOWS_MAX = 10_000;

interface Window {
  readonly endsAtMs: number;
  hits: number;
}

/**
 * Counts requests in fixed windows in bounded memory. The throttler's own storage keeps each hit of an unlimited number of
 * addresses.
 */
export class FloodWindows implements ThrottlerStorage {
  private readonly windows = new LruCache<string, Window>(WINDOWS_MAX);

  /** @param nowMs a monotonic clock */
  constructor(private readonly nowMs: () => number) {}

  get size(): number {
    return this.windows.size;
  }

  increment(key: string, ttlMs: number, limit: number): ReturnType<ThrottlerStorage['increment']> {
    const now = this.nowMs();
    let window = this.windows.get(key);
    if (window === undefined || window.endsAtMs <= now) {
      window = { endsAtMs: now + ttlMs, hits: 0 };
      this.windows.set(key, window);
    }
    window.hits++;
    const seconds = Math.ceil((window.endsAtMs - now) / 1000);
    return Promise.resolve({
      totalHits: window.hits,
      timeToExpire: seconds,
      isBlocked: window.hits > limit,
      timeToBlockExpire: seconds,
    });
  }
}

/** No admin script sends this many requests. */
const REQUEST_LIMIT = { name: 'calls', ttl: 60_000, limit: 60_000 };
/** Hashing a password is expensive. The limit is the length of the sign-in queue, so that one address cannot fill it. */
const PASSWORD_LIMIT = { name: 'passwords', ttl: 10_000, limit: 200 };

export const floodLimits = (): ThrottlerModuleOptions => ({
  storage: new FloodWindows(() => performance.now()),
  // X-RateLimit headers would describe the address, but the gateway's describe API keys.
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

/** Limits floods under /admin and /dashboard before stage 3. Keys under /v1 have their own limits. */
@Injectable()
export class FloodGuard implements CanActivate {
  constructor(
    private readonly limits: AddressLimits,
    private readonly proxyWarning: UntrustedProxyWarning,
  ) {}

  canActivate(host: ExecutionContext): true | Promise<boolean> {
    const kind = contextOf(host).route?.kind;
    if (kind !== 'admin' && kind !== 'dashboard') return true;
    this.proxyWarning.warnIfUntrusted(requestOf(host));
    return this.limits.canActivate(host);
  }
}
