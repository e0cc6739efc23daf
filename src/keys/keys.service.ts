import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '../platform/database/transactions.js';
import type { RememberedKey } from '../audit/lost-changes/lost-change.js';
import { notFound, validationError } from '../platform/errors/error-factories.js';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import { distinctTags } from './teams/tag.rules.js';
import { TeamsService } from './teams/teams.service.js';
import { KeyCache } from './key-cache.js';
import { keyChanges, KeyChangeRecorder } from './key-change-recorder.js';
import { generateKey, hashKey, hintOf } from './key-format.js';
import { KEY_TRANSITIONS, type KeyTransition, statusAfter, type StatusTransition } from './key-state.rules.js';
import type { ApiKey } from './stores/api-key.entity.js';
import { ApiKeyStore, type KeyListQuery, type KeyValues } from './stores/api-key.store.js';

export type { ApiKey } from './stores/api-key.entity.js';
export type { KeyListQuery, KeySortField } from './stores/api-key.store.js';

/** An undefined setting is unchanged, or has its default at creation. An empty `allowedModels` counts as null. */
export type KeySettings = Partial<
  Pick<
    ApiKey,
    | 'name'
    | 'teamId'
    | 'tags'
    | 'rpmLimit'
    | 'rpdLimit'
    | 'monthlyLimit'
    | 'monthlyTokenLimit'
    | 'tokenCounting'
    | 'allowedModels'
    | 'expiresAt'
  >
>;

/** A key of another gateway, which stores only the hash. */
export interface ImportedKey {
  /** SHA-256 of the raw key, in hex digits. */
  readonly hash: string;
  readonly hint: string;
  /** The other gateway, for the audit log. */
  readonly source: string;
  readonly suspended: boolean;
  readonly settings: KeySettings & Pick<ApiKey, 'name'>;
}

/** A key with its raw key, which cannot be read again later. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly rawKey: string;
}

/**
 * Reads and changes keys for admins. A change, its audit row and its event are one transaction. The change to `api_keys` comes
 * last, because it locks the row on which admission waits. A change resolves when the new state holds on every instance (D3).
 * Methods that take an ID throw `not_found` if it is unknown.
 */
@Injectable()
export class KeysService {
  constructor(
    private readonly store: ApiKeyStore,
    private readonly transactions: Transactions,
    private readonly recorder: KeyChangeRecorder,
    private readonly cache: KeyCache,
    private readonly teams: TeamsService,
  ) {}

  async get(id: string): Promise<ApiKey> {
    const key = await this.store.find(id);
    if (key === null) throw notFound('API key not found');
    return key;
  }

  list(query: KeyListQuery): Promise<{ total: number; keys: ApiKey[] }> {
    return this.store.list(query);
  }

  /** @throws GatewayError `validation_error`, param `team_id`, for an unknown team */
  create(settings: KeySettings & Pick<ApiKey, 'name'>, actor: AdminActor): Promise<IssuedKey> {
    const id = randomUUID();
    const { rawKey, stored } = newRawKey();
    const values = { ...valuesOf(settings), ...stored };
    return this.transactions.run(async (transaction) => {
      await this.checkTeam(transaction, values);
      const key = { id, name: settings.name, status: 'active' } as const;
      const metadata = { changes: keyChanges(null, values) };
      await this.recorder.record(transaction, { action: 'api_key.created', actor, key, metadata });
      return { key: await this.store.insert(transaction, { ...values, id }), rawKey };
    });
  }

  /**
   * Creates a key of another gateway, whose raw key is unknown. A key that exists is not changed.
   * @returns the ID of the key
   * @throws GatewayError `validation_error`, param `team_id`, for an unknown team
   */
  import(given: ImportedKey, actor: AdminActor): Promise<string> {
    const id = randomUUID();
    const status = given.suspended ? 'suspended' : 'active';
    const keyHash = Buffer.from(given.hash, 'hex');
    const stored = { keyHash, importedHash: keyHash, keyHint: given.hint, status } as const;
    const values = { ...valuesOf(given.settings), ...stored };
    return this.transactions.run(async (transaction) => {
      const known = await this.store.idOfHash(transaction, keyHash);
      if (known !== null) return known;
      await this.checkTeam(transaction, values);
      const key = { id, name: given.settings.name, status } as const;
      const metadata = { changes: keyChanges(null, values), imported_from: given.source };
      await this.recorder.record(transaction, { action: 'api_key.created', actor, key, metadata });
      await this.store.insert(transaction, { ...values, id });
      return id;
    });
  }

  /** @param hash SHA-256 of a raw key, or of the one with which a key was imported, in hex digits */
  idOfHash(hash: string): Promise<string | null> {
    return this.transactions.run((transaction) => this.store.idOfHash(transaction, Buffer.from(hash, 'hex')));
  }

  /**
   * Changes a key, even if it is revoked (D16). Writes nothing if no value differs. A key that moves to another team keeps its
   * usage, because usage is stored by key.
   * @throws GatewayError `validation_error`, param `team_id`, for an unknown team
   */
  async update(id: string, settings: KeySettings, actor: AdminActor): Promise<ApiKey> {
    const values = valuesOf(settings);
    const updated = await this.transactions.run(async (transaction) => {
      const key = await this.store.lock(transaction, id);
      if (key === null) throw notFound('API key not found');
      await this.checkTeam(transaction, values);
      const changes = keyChanges(key, values);
      if (Object.keys(changes).length === 0) return key;
      const changed = { ...key, ...values };
      await this.recorder.record(transaction, {
        action: 'api_key.updated',
        actor,
        key: changed,
        metadata: { changes },
      });
      return this.store.update(transaction, key, values);
    });
    this.cache.keysChanged([id]);
    return updated;
  }

  /**
   * @throws GatewayError `not_found` also if the key's status does not allow the transition, for example after a concurrent one
   */
  change(transition: StatusTransition, id: string, actor: AdminActor): Promise<ApiKey> {
    return this.applyTransition(transition, id, actor, {});
  }

  /**
   * Replaces the raw key and nothing else.
   * @throws GatewayError `not_found` also for a revoked key
   */
  async rotate(id: string, actor: AdminActor): Promise<IssuedKey> {
    const { rawKey, stored } = newRawKey();
    return { key: await this.applyTransition('rotate', id, actor, stored), rawKey };
  }

  /** Applies a change that the database has lost, unless the key has changed since. Has no effect on a lost key. */
  async restore(id: string, lost: RememberedKey, actor: AdminActor): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const key = await this.store.lock(transaction, id);
      const snapshot = key && (await this.store.snapshotById(id));
      if (key === null || snapshot === null || snapshot.version >= lost.version) return;
      const values = { status: lost.status, keyHash: Buffer.from(lost.keyHash, 'hex'), keyHint: lost.keyHint };
      const metadata = { changes: keyChanges(key, values) };
      await this.recorder.record(transaction, {
        action: 'api_key.updated',
        actor,
        key: { ...key, ...values },
        metadata,
      });
      await this.store.update(transaction, key, values);
    });
    this.cache.keysChanged([id]);
  }

  /** Keeps the team from being deleted until the transaction ends. */
  private async checkTeam(transaction: Transaction, { teamId }: KeySettings): Promise<void> {
    if (typeof teamId === 'string' && !(await this.teams.keep(transaction, teamId)))
      throw validationError('team_id', `Invalid value for 'team_id': there is no team with the ID '${teamId}'.`);
  }

  private async applyTransition(
    transition: KeyTransition,
    id: string,
    actor: AdminActor,
    values: KeyValues,
  ): Promise<ApiKey> {
    const { action, notFoundMessage } = KEY_TRANSITIONS[transition];
    const changed = await this.transactions.run(async (transaction) => {
      const key = await this.store.lock(transaction, id);
      const status = key && statusAfter(transition, key.status);
      if (key === null || status === null) throw notFound(notFoundMessage);
      const metadata = { changes: keyChanges(key, { ...values, status }) };
      await this.recorder.record(transaction, { action, actor, key: { ...key, status }, metadata });
      return this.store.update(transaction, key, { ...values, status });
    });
    this.cache.keysChanged([id]);
    return changed;
  }
}

function newRawKey(): { rawKey: string; stored: { keyHash: Buffer; keyHint: string } } {
  const rawKey = generateKey();
  return { rawKey, stored: { keyHash: Buffer.from(hashKey(rawKey), 'hex'), keyHint: hintOf(rawKey) } };
}

/** Drops undefined settings, which TypeORM would write. */
function valuesOf({ allowedModels, tags, ...settings }: KeySettings): KeySettings {
  return {
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
    ...(allowedModels !== undefined && { allowedModels: allowedModels?.length ? allowedModels : null }),
    ...(tags !== undefined && { tags: distinctTags(tags) }),
  };
}
