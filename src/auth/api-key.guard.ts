import type { IncomingHttpHeaders } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { invalidApiKey, missingApiKey } from '../platform/errors/error-factories.js';
import { Config } from '../platform/config/config.js';
import { KeyCache } from '../keys/key-cache.js';
import { hashKey, isImportedKey, parseKey } from '../keys/key-format.js';
import { contextOf, requestOf } from '../platform/request-context/context.decorator.js';
import type { KeySnapshot } from '../platform/request-context/key-snapshot.js';
import type { RequestContext } from '../platform/request-context/request-context.js';
import { bareKeyOf, bearerOf, type Credential } from './bearer-token.js';

/** In the specification profile, only these paths accept `x-api-key`, Anthropic's header (D2). */
const MESSAGES = '/v1/messages';

/**
 * First half of stage 3 (D1): finds the caller's key by its hash. Malformed and unknown keys get the same error, so that a
 * caller cannot distinguish them. `KeyStateGuard` then checks the state of the key.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly keys: KeyCache,
    private readonly config: Config,
  ) {}

  canActivate(host: ExecutionContext): true | Promise<true> {
    const ctx = contextOf(host);
    if (ctx.route?.kind !== 'gateway') return true;
    const { headers } = requestOf(host);
    const hash = hashKey(this.wellFormed(this.credentialOf(headers, ctx.route.endpoint)));
    ctx.keyHash = hash;
    const key = this.keys.find(hash);
    return key === undefined ? this.keys.load(hash).then((loaded) => accept(ctx, loaded)) : accept(ctx, key);
  }

  private credentialOf(headers: IncomingHttpHeaders, endpoint: string): Credential {
    const acceptsBareKey = this.config.isCurrentProfile || endpoint.startsWith(MESSAGES);
    if (headers.authorization !== undefined || !acceptsBareKey) return bearerOf(headers.authorization);
    const header = headers['x-api-key'];
    return bareKeyOf(typeof header === 'string' ? header : undefined);
  }

  private wellFormed(credential: Credential): string {
    if (credential.kind === 'missing') throw missingApiKey();
    if (credential.kind === 'token') {
      const { token } = credential;
      if (parseKey(token) !== null || (this.config.importedKeys && isImportedKey(token))) return token;
    }
    throw invalidApiKey();
  }
}

function accept(ctx: RequestContext, key: KeySnapshot | null): true {
  if (key === null) throw invalidApiKey();
  ctx.key = key;
  return true;
}
