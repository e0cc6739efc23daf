import { hash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { invalidApiKey, missingApiKey } from '../platform/errors/error-factories.js';
import { requestOf } from '../platform/request-context/context.decorator.js';
import { bearerOf } from './bearer-token.js';
import { clientAddressOf } from './client-address.js';
import { SessionAuthentication } from './session-authentication.service.js';

/**
 * Stage 3 under /admin: authenticates the admin key. Without an Authorization header, it authenticates the session cookie
 * (D19).
 */
@Injectable()
export class AdminGuard implements CanActivate {
  private digests: readonly Buffer[];

  constructor(
    { adminKeys, reloads }: Config,
    private readonly sessions: SessionAuthentication,
  ) {
    this.digests = adminKeys.map(digestOf);
    reloads.subscribe((values) => (this.digests = values.adminKeys?.map(digestOf) ?? this.digests));
  }

  canActivate(host: ExecutionContext): true | Promise<true> {
    const request = requestOf(host);
    const { ctx, headers } = request;
    if (ctx.route?.kind !== 'admin') return true;
    if (headers.authorization === undefined) return this.sessions.admit(request, ctx.route.role);
    const credential = bearerOf(headers.authorization);
    if (credential.kind === 'missing') throw missingApiKey();
    if (credential.kind !== 'token' || !this.isAdminKey(credential.token)) throw invalidApiKey();
    ctx.actor = { type: 'admin_key', id: null, requestId: ctx.requestId, ip: clientAddressOf(request) };
    return true;
  }

  /** Runs in constant time: it always compares all digests, which have equal length. */
  private isAdminKey(token: string): boolean {
    const given = digestOf(token);
    return this.digests.map((digest) => timingSafeEqual(digest, given)).includes(true);
  }
}

function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
