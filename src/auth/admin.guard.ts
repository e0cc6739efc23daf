import { hash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '../config/config.js';
import { invalidApiKey, missingApiKey } from '../errors/catalogue.js';
import { contextOf } from '../request-context/context.decorator.js';
import { bearerOf } from './bearer.js';

/** Stage 3 of the routes under /admin: the admin key, by Bearer only. Leaves who calls in the context. */
@Injectable()
export class AdminGuard implements CanActivate {
  private readonly digests: readonly Buffer[];

  constructor({ adminKeys }: Config) {
    this.digests = adminKeys.map(digestOf);
  }

  canActivate(host: ExecutionContext): true {
    const ctx = contextOf(host);
    if (ctx.route?.kind !== 'admin') return true;
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const credential = bearerOf(request.headers.authorization);
    if (credential.kind === 'missing') throw missingApiKey();
    if (credential.kind !== 'token' || !this.isAdminKey(credential.token)) throw invalidApiKey();
    ctx.actor = { type: 'admin_key', id: null, requestId: ctx.requestId, ip: request.ip };
    return true;
  }

  /** Takes the same time whatever is given: digests of one length, each compared whole, all of them compared. */
  private isAdminKey(token: string): boolean {
    const given = digestOf(token);
    return this.digests.map((digest) => timingSafeEqual(digest, given)).includes(true);
  }
}

function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
