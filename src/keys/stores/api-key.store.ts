import { Injectable } from '@nestjs/common';
import { DataSource, In, type SelectQueryBuilder } from 'typeorm';
import { LostChanges } from '../../audit/lost-changes/lost-changes.service.js';
import { BatchedReads } from '../../platform/database/batched-reads.js';
import type { Transaction } from '../../platform/database/transactions.js';
import type { StoredCounts } from '../../quota/verdict.rules.js';
import type { KeySnapshot, TokenCounting } from '../../platform/request-context/key-snapshot.js';
import type { KeyStatus } from '../key-state.rules.js';
import { ApiKey } from './api-key.entity.js';

export type KeySortField = 'name' | 'created_at' | 'updated_at' | 'last_used_at';

/** A null filter matches all keys. */
export interface KeyListQuery {
  readonly status: KeyStatus | null;
  /** Searched in name and ID, ignoring case; `%`, `_` and `\` are literal characters. */
  readonly name: string | null;
  /** Expiry is not a status: true finds expired keys in any status, and false finds the others. */
  readonly expired: boolean | null;
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
  readonly teamId: string | null;
  /** A tag of the key or of its team. */
  readonly tag: string | null;
  readonly sortBy: KeySortField;
  readonly sortDir: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

/** `keyHash` and `keyHint` change together. */
export type KeyValues = Partial<Omit<ApiKey, 'id' | 'createdAt' | 'updatedAt' | 'lastUsedAt' | 'revokedAt' | 'search'>>;

/**
 * Is later than the last change even if the clock was set back. Unlike clock_timestamp(), it is constant within a statement.
 */
const CHANGED_AT = `greatest(date_trunc('milliseconds', statement_timestamp()), updated_at + interval '1 millisecond')`;

/** Reads and writes `api_keys`. `stats` writes `last_used_at`, and `stats` and `scheduler` also read the table. */
@Injectable()
export class ApiKeyStore {
  constructor(private readonly source: DataSource) {}

  /** Reads state, version and counts in one statement. Two statements could combine the new version with the old state. */
  async readByHashes(hashes: readonly string[]): Promise<ReadonlyMap<string, ReadKey>> {
    const rows = await this.source.query<(SnapshotRow & CountsRow & { hash: string })[]>(BY_HASHES, [
      hashes.map((hash) => `\\x${hash}`),
    ]);
    return new Map(rows.map((row) => [row.hash, { key: snapshotOf(row), counts: countsOf(row) }]));
  }

  /** Like `readByHashes`, by ID. Only for keys whose lost raw key is presented. */
  async readByIds(ids: readonly string[]): Promise<ReadonlyMap<string, ReadKey>> {
    const rows = await this.source.query<(SnapshotRow & CountsRow)[]>(BY_IDS, [ids]);
    return new Map(rows.map((row) => [row.id, { key: snapshotOf(row), counts: countsOf(row) }]));
  }

  /** For admin requests only. In a request, it would accept the old raw key of a rotated key. */
  async snapshotById(id: string): Promise<KeySnapshot | null> {
    const rows = await this.source.query<SnapshotRow[]>(`${SNAPSHOT} where k.id = $1`, [id]);
    return rows[0] === undefined ? null : snapshotOf(rows[0]);
  }

  find(id: string): Promise<ApiKey | null> {
    return this.source.manager.findOneBy(ApiKey, { id });
  }

  /** `total` counts all matching keys, in the same snapshot. */
  list(query: KeyListQuery): Promise<{ total: number; keys: ApiKey[] }> {
    const { field, nulls } = SORTS[query.sortBy];
    const descending = query.sortDir === 'desc';
    return this.source.transaction('REPEATABLE READ', async (transaction) => {
      const [keys, total] = await matchesOf(transaction.createQueryBuilder(ApiKey, 'key'), query)
        .orderBy(field, descending ? 'DESC' : 'ASC', nulls && (descending ? 'NULLS LAST' : 'NULLS FIRST'))
        .addOrderBy('key.id', descending ? 'DESC' : 'ASC')
        .limit(query.limit)
        .offset(query.offset)
        .getManyAndCount();
      return { total, keys };
    });
  }

  /** Locks the key until the transaction ends, but not the row that admission uses. */
  lock(transaction: Transaction, id: string): Promise<ApiKey | null> {
    return transaction.findOne(ApiKey, { where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Locks in key order, which prevents deadlocks between concurrent requests. */
  lockAll(transaction: Transaction, ids: readonly string[]): Promise<ApiKey[]> {
    return transaction.find(ApiKey, {
      where: { id: In(ids) },
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
  }

  /** Also finds an imported key that was rotated since. */
  async idOfHash(transaction: Transaction, keyHash: Buffer): Promise<string | null> {
    const where = [{ keyHash }, { importedHash: keyHash }];
    const key = await transaction.findOne(ApiKey, { select: { id: true }, where });
    return key?.id ?? null;
  }

  /** Must be the last statement of its transaction. A trigger creates the key's counter row. */
  async insert(transaction: Transaction, values: KeyValues & Pick<ApiKey, 'id'>): Promise<ApiKey> {
    const key = transaction.create(ApiKey, {
      teamId: null,
      tags: [],
      monthlyLimit: null,
      monthlyTokenLimit: null,
      tokenCounting: 'specification',
      allowedModels: null,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      importedHash: null,
      ...values,
    });
    await transaction.insert(ApiKey, key);
    return key;
  }

  /** Must be the last statement of its transaction. A trigger locks the key's counter row, on which admission waits. */
  async update(transaction: Transaction, key: ApiKey, values: KeyValues): Promise<ApiKey> {
    const revokedAt = values.status === 'revoked' ? { revokedAt: () => CHANGED_AT } : {};
    const result = await transaction
      .createQueryBuilder()
      .update(ApiKey)
      .set({ ...values, ...revokedAt, updatedAt: () => CHANGED_AT })
      .where({ id: key.id })
      .returning('updated_at, revoked_at')
      .execute();
    const [row] = result.raw as { updated_at: Date; revoked_at: Date | null }[];
    if (row === undefined) throw new Error('A locked key does not exist');
    return { ...key, ...values, updatedAt: row.updated_at, revokedAt: row.revoked_at };
  }

  /**
   * Must be the last statement of its transaction, like `update`. It locks the counter rows in key order, as admission does.
   */
  async updateStatuses(transaction: Transaction, changes: readonly StatusChange[]): Promise<ApiKey[]> {
    if (changes.length === 0) return [];
    const ids = changes.map(({ key }) => key.id);
    const statuses = changes.map(({ status }) => status);
    const rows = await transaction.query<UpdatedRow[]>(UPDATE_STATUSES, [ids, statuses]);
    const updated = new Map(rows.map((row) => [row.id, row]));
    return changes.map(({ key, status }) => {
      const row = updated.get(key.id);
      if (row === undefined) throw new Error('A locked key does not exist');
      return { ...key, status, updatedAt: row.updated_at, revokedAt: row.revoked_at };
    });
  }
}

interface StatusChange {
  readonly key: ApiKey;
  readonly status: KeyStatus;
}

interface UpdatedRow {
  id: string;
  updated_at: Date;
  revoked_at: Date | null;
}

const UPDATE_STATUSES = `
  with wanted as (
    select * from unnest($1::uuid[], $2::text[]) as w(id, status)
  ), locked as materialized (
    select key_id from key_quota where key_id = any($1::uuid[]) order by key_id for no key update
  ), updated as (
    update api_keys k
       set status = w.status, updated_at = ${CHANGED_AT},
           revoked_at = case when w.status = 'revoked' then ${CHANGED_AT} else k.revoked_at end
      from wanted w join locked l on l.key_id = w.id
     where k.id = w.id
    returning k.id, k.updated_at, k.revoked_at
  )
  select id, updated_at, revoked_at from updated`;

type LostKeys = Pick<LostChanges, 'keyInsteadOf' | 'keyIdOf'>;

/** Batches lookups of keys by hash. A key whose last change the database has lost has the state of that change. */
@Injectable()
export class KeyReads extends BatchedReads<ReadKey> {
  constructor(store: ApiKeyStore, lost: LostChanges) {
    super((hashes) => readKeys(store, lost, hashes));
  }
}

async function readKeys(
  store: Pick<ApiKeyStore, 'readByHashes' | 'readByIds'>,
  lost: LostKeys,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, ReadKey>> {
  const found = await store.readByHashes(hashes);
  const keys = new Map<string, ReadKey>();
  const add = (hash: string, read: ReadKey) => {
    const state = lost.keyInsteadOf(read.key.id, read.key.version);
    if (state === undefined) keys.set(hash, read);
    else if (state.keyHash === hash) keys.set(hash, { ...read, key: { ...read.key, status: state.status } });
  };
  for (const [hash, read] of found) add(hash, read);
  const rotated = hashes.flatMap((hash) => {
    const id = found.has(hash) ? undefined : lost.keyIdOf(hash);
    return id === undefined ? [] : [{ hash, id }];
  });
  if (rotated.length === 0) return keys;
  const byId = await store.readByIds(rotated.map(({ id }) => id));
  for (const { hash, id } of rotated) {
    const read = byId.get(id);
    // Without the lost change, the key has another raw key.
    if (read !== undefined && lost.keyInsteadOf(id, read.key.version) !== undefined) add(hash, read);
  }
  return keys;
}

export interface ReadKey {
  readonly key: KeySnapshot;
  readonly counts: StoredCounts;
}

const FIELDS = `
         k.id, k.name, k.team_id, k.tags, k.status, k.rpm_limit, k.rpd_limit, k.monthly_limit, k.allowed_models, k.expires_at,
         k.last_used_at, k.monthly_token_limit::float8 as monthly_token_limit, k.token_counting, q.version::float8 as version`;

const SNAPSHOT = `
  select ${FIELDS}
    from api_keys k
    join key_quota q on q.key_id = k.id`;

const WITH_COUNTS = `
  select ${FIELDS}, encode(k.key_hash, 'hex') as hash,
         floor(date_part('epoch', t.now) * 1000)::float8 as now_ms, q.minute, q.minute_count, q.day, q.day_count,
         q.month, q.month_count::float8 as month_count, coalesce(u.input_tokens + u.output_tokens, 0)::float8 as tokens,
         coalesce(u.additional_tokens, 0)::float8 as additional_tokens
    from (select clock_timestamp() as now) t
   cross join api_keys k
    join key_quota q on q.key_id = k.id
    left join usage_monthly u on u.key_id = k.id and u.month = q.month`;

const BY_HASHES = `${WITH_COUNTS}
   where k.key_hash = any($1::bytea[])`;
const BY_IDS = `${WITH_COUNTS}
   where k.id = any($1::uuid[])`;

/** The two bigints are cast to float8, which is exact below 2^53. */
interface SnapshotRow {
  id: string;
  name: string;
  team_id: string | null;
  tags: string[];
  status: KeyStatus;
  rpm_limit: number;
  rpd_limit: number;
  monthly_limit: number | null;
  monthly_token_limit: number | null;
  token_counting: TokenCounting;
  allowed_models: string[] | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  version: number;
}

/** The stored windows, which might have ended, and the tokens of the stored month. */
interface CountsRow {
  now_ms: number;
  minute: number;
  minute_count: number;
  day: number;
  day_count: number;
  month: number;
  month_count: number;
  tokens: number;
  additional_tokens: number;
}

function countsOf(row: SnapshotRow & CountsRow): StoredCounts {
  return {
    version: row.version,
    nowMs: row.now_ms,
    tokens: row.tokens,
    additionalTokens: row.additional_tokens,
    minute: row.minute,
    minuteUsed: row.minute_count,
    day: row.day,
    dayUsed: row.day_count,
    month: row.month,
    monthUsed: row.month_count,
  };
}

function snapshotOf(row: SnapshotRow): KeySnapshot {
  return {
    id: row.id,
    name: row.name,
    teamId: row.team_id,
    tags: row.tags,
    status: row.status,
    rpmLimit: row.rpm_limit,
    rpdLimit: row.rpd_limit,
    monthlyLimit: row.monthly_limit,
    monthlyTokenLimit: row.monthly_token_limit,
    tokenCounting: row.token_counting,
    allowedModels: row.allowed_models?.length ? row.allowed_models : null,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    lastUsedAtMs: row.last_used_at?.getTime() ?? null,
    version: row.version,
  };
}

const SORTS: Record<KeySortField, { field: string; nulls?: true }> = {
  name: { field: 'key.name' },
  created_at: { field: 'key.createdAt' },
  updated_at: { field: 'key.updatedAt' },
  last_used_at: { field: 'key.lastUsedAt', nulls: true },
};

function matchesOf(builder: SelectQueryBuilder<ApiKey>, query: KeyListQuery): SelectQueryBuilder<ApiKey> {
  const { status, name, expired, sinceMs, untilMs, teamId, tag } = query;
  if (status !== null) builder.andWhere('key.status = :status', { status });
  if (name !== null) {
    const literal = name.replace(/[\\%_]/g, '\\$&');
    builder.andWhere(`key.search like '%' || lower(:literal) || '%'`, { literal });
  }
  if (expired === true) builder.andWhere('key.expiresAt <= clock_timestamp()');
  if (expired === false) builder.andWhere('(key.expiresAt is null or key.expiresAt > clock_timestamp())');
  if (sinceMs !== null) builder.andWhere('key.createdAt >= :since', { since: new Date(sinceMs) });
  if (untilMs !== null) builder.andWhere('key.createdAt <= :until', { until: new Date(untilMs) });
  if (teamId !== null) builder.andWhere('key.teamId = :teamId', { teamId });
  if (tag !== null) builder.andWhere(HAS_TAG, { tags: [tag] });
  return builder;
}

/** The first condition permits the use of the index on tags. */
const HAS_TAG = `
  (key.tags <> '{}' and key.tags @> cast(:tags as text[])
   or key.teamId in (select t.id from teams t where t.tags @> cast(:tags as text[])))`;
