import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Transactions } from '../database/transactions.js';
import { notFound } from '../errors/catalogue.js';
import { Admission } from '../quota/admission.service.js';
import type { AdminActor } from '../request-context/caller-session.js';
import { KeyCache } from './key-cache.js';
import { keyChanges } from './key-audit-fields.js';
import { generateKey, hashKey, hintOf } from './key-format.js';
import type { KeyListQuery } from './key-list-query.js';
import { KeyTrail } from './key-trail.js';
import { KEY_TRANSITIONS, type KeyTransition, statusAfter, type StatusTransition } from './key-transition.rules.js';
import type { ApiKey } from './stores/api-key.entity.js';
import { ApiKeyStore, type KeyValues } from './stores/api-key.store.js';

export type { ApiKey } from './stores/api-key.entity.js';

/** What an admin gives a key. undefined: as it is, or by default; an empty `allowedModels` counts as null. */
export type KeySettings = Partial<
  Pick<ApiKey, 'name' | 'rpmLimit' | 'rpdLimit' | 'monthlyLimit' | 'monthlyTokenLimit' | 'allowedModels' | 'expiresAt'>
>;

/** A key and its secret, in the one moment in which it is known. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

/**
 * What admins do with keys. Each change, its audit row and its event are one transaction; the change of `api_keys` comes
 * last in it, since from there to the commit it holds the row on which admission waits. Every method resolves after the
 * commit, and with Redis once that has been told, when the new state already holds on every instance (D3), and throws
 * `not_found` for an unknown key.
 */
@Injectable()
export class KeysService {
  constructor(
    private readonly store: ApiKeyStore,
    private readonly transactions: Transactions,
    private readonly trail: KeyTrail,
    private readonly cache: KeyCache,
    private readonly admission: Admission,
  ) {}

  async get(id: string): Promise<ApiKey> {
    const key = await this.store.find(id);
    if (key === null) throw notFound('API key not found');
    return key;
  }

  list(query: KeyListQuery): Promise<{ total: number; keys: ApiKey[] }> {
    return this.store.list(query);
  }

  create(settings: KeySettings & Pick<ApiKey, 'name'>, actor: AdminActor): Promise<IssuedKey> {
    const id = randomUUID();
    const { secret, stored } = newSecret();
    const values = { ...valuesOf(settings), ...stored };
    return this.transactions.run(async (transaction) => {
      const key = { id, name: settings.name, status: 'active' } as const;
      const metadata = { changes: keyChanges(null, values) };
      await this.trail.write(transaction, { action: 'api_key.created', actor, key, metadata });
      return { key: await this.store.insert(transaction, { ...values, id }), secret };
    });
  }

  /** Where nothing differs nothing is written. Works on a revoked key too (D16). */
  async update(id: string, settings: KeySettings, actor: AdminActor): Promise<ApiKey> {
    const values = valuesOf(settings);
    const updated = await this.transactions.run(async (transaction) => {
      const key = await this.store.lock(transaction, id);
      if (key === null) throw notFound('API key not found');
      const changes = keyChanges(key, values);
      if (Object.keys(changes).length === 0) return key;
      const deed = { action: 'api_key.updated', actor, key: { ...key, ...values }, metadata: { changes } } as const;
      await this.trail.write(transaction, deed);
      return this.store.update(transaction, key, values);
    });
    this.cache.invalidate(id);
    await this.admission.raise([id]);
    return updated;
  }

  /** @throws GatewayError `not_found` also where the key's status does not allow it: of simultaneous calls one wins */
  change(transition: StatusTransition, id: string, actor: AdminActor): Promise<ApiKey> {
    return this.transit(transition, id, actor, {});
  }

  /** The old secret is worth nothing from now on; all else stays. @throws GatewayError `not_found` for a revoked key */
  async rotate(id: string, actor: AdminActor): Promise<IssuedKey> {
    const { secret, stored } = newSecret();
    return { key: await this.transit('rotate', id, actor, stored), secret };
  }

  private async transit(transition: KeyTransition, id: string, actor: AdminActor, values: KeyValues): Promise<ApiKey> {
    const { action, refusal } = KEY_TRANSITIONS[transition];
    const changed = await this.transactions.run(async (transaction) => {
      const key = await this.store.lock(transaction, id);
      const status = key && statusAfter(transition, key.status);
      if (key === null || status === null) throw notFound(refusal);
      const metadata = { changes: keyChanges(key, { ...values, status }) };
      await this.trail.write(transaction, { action, actor, key: { ...key, status }, metadata });
      return this.store.update(transaction, key, { ...values, status });
    });
    this.cache.invalidate(id);
    await this.admission.raise([id]);
    return changed;
  }
}

function newSecret(): { secret: string; stored: { keyHash: Buffer; keyHint: string } } {
  const secret = generateKey();
  return { secret, stored: { keyHash: Buffer.from(hashKey(secret), 'hex'), keyHint: hintOf(secret) } };
}

/** Only what was given: TypeORM would write an undefined as it is, the audit row would name it. */
function valuesOf({ allowedModels, ...settings }: KeySettings): KeySettings {
  const models = allowedModels === undefined ? {} : { allowedModels: allowedModels?.length ? allowedModels : null };
  return { ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)), ...models };
}
