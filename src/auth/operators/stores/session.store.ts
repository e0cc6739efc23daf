import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Page, readPage } from '../../../platform/database/page.js';
import type { Transaction } from '../../../platform/database/transactions.js';
import type { Operator } from '../operator.rules.js';
import type { SessionTimes } from '../session-lifetime.service.js';
import type { Session } from '../session.js';

const PRUNE_BATCH_SIZE = 100;

export interface SessionFilter {
  /** The operator whose sessions the caller can see, or null for all. */
  readonly visibleOf: string | null;
  readonly operatorId: string | null;
}

type SessionAge = Pick<Session, 'id' | 'createdAt' | 'expiresAt'>;

export interface FoundSession {
  readonly session: Session;
  readonly operator: Operator;
  /** The session was extended, so the cookie must be sent again. */
  readonly extended: boolean;
}

/** Reads and writes `operator_sessions`. The daily job deletes expired rows. */
@Injectable()
export class SessionStore {
  constructor(private readonly source: DataSource) {}

  /** Finds sessions of enabled operators by token hash (64 hex digits), and extends those that are due. */
  async findAndExtend(
    tokenHashes: readonly string[],
    { now, ageMsMax, dueSince, until }: SessionTimes,
  ): Promise<ReadonlyMap<string, FoundSession>> {
    const hashes = tokenHashes.map(byteaOf);
    const rows = await this.source.query<FoundRow[]>(FIND, [now, ageMsMax, hashes, dueSince, until]);
    return new Map(rows.map(({ tokenHash, ...row }) => [tokenHash, foundOf(row)]));
  }

  async list(
    { visibleOf, operatorId }: SessionFilter,
    { now, ageMsMax }: SessionTimes,
    page: Page,
  ): Promise<{ total: number; sessions: Session[] }> {
    const { total, rows } = await readPage<Session>(this.source, LIST, [now, ageMsMax, visibleOf, operatorId], page);
    return { total, sessions: rows };
  }

  async insert(transaction: Transaction, session: Session, tokenHash: string): Promise<void> {
    const { id, operatorId, createdAt, lastSeenAt, expiresAt, ip, userAgent } = session;
    await transaction.query(
      `insert into operator_sessions (id, operator_id, token_hash, created_at, last_seen_at, expires_at, ip, user_agent)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, operatorId, byteaOf(tokenHash), createdAt, lastSeenAt, expiresAt, ip, userAgent],
    );
  }

  /** Deletes the operator's sessions except the `count` that were used last. */
  async keepLatest(transaction: Transaction, operatorId: string, count: number): Promise<void> {
    await transaction.query(KEEP_LATEST, [operatorId, count]);
  }

  /**
   * Returns the operator of the session, or null if there is no such session.
   * @param ofOperatorId null for any operator
   */
  async delete(
    transaction: Transaction,
    id: string,
    ofOperatorId: string | null,
    { now, ageMsMax }: SessionTimes,
  ): Promise<string | null> {
    const [row] = await transaction.query<{ operator_id: string }[]>(DELETE, [now, ageMsMax, ofOperatorId, id]);
    return row?.operator_id ?? null;
  }

  /**
   * Returns the deleted sessions, including expired ones.
   * @param exceptId a session that stays
   */
  async deleteOf(transaction: Transaction, operatorId: string, exceptId: string | null = null): Promise<SessionAge[]> {
    return transaction.query<SessionAge[]>(DELETE_OF, [operatorId, exceptId]);
  }

  async operatorExists(transaction: Transaction, operatorId: string): Promise<boolean> {
    const rows = await transaction.query<object[]>('select 1 from operators where id = $1', [operatorId]);
    return rows.length > 0;
  }

  /** Deletes up to 100 ended sessions. */
  async prune(transaction: Transaction, { now, ageMsMax }: SessionTimes): Promise<void> {
    await transaction.query(PRUNE, [now, ageMsMax, PRUNE_BATCH_SIZE]);
  }
}

const byteaOf = (hex: string): string => `\\x${hex}`;

interface FoundRow extends Session {
  readonly tokenHash: string;
  readonly email: string;
  readonly name: string;
  readonly role: Operator['role'];
  readonly lastLoginAt: Date | null;
  readonly operatorCreatedAt: Date;
  readonly extended: boolean;
}

function foundOf(row: Omit<FoundRow, 'tokenHash'>): FoundSession {
  const { email, name, role, lastLoginAt, operatorCreatedAt, extended, ...session } = row;
  const operator = { id: session.operatorId, email, name, role, disabled: false, lastLoginAt };
  return { session, operator: { ...operator, createdAt: operatorCreatedAt }, extended };
}

const SESSION = `s.id, s.operator_id as "operatorId", s.created_at as "createdAt", s.ip, s.user_agent as "userAgent"`;

// The stored expiry can exceed the maximum age if the setting was lowered or the previous release extended the session.
const EXPIRES_BY_AGE_AT = `s.created_at + $2::float8 * interval '1 millisecond'`;
const EXPIRES_AT = `least(s.expires_at, ${EXPIRES_BY_AGE_AT})`;

// If two lookups extend a session concurrently, the second changes nothing and returns the expiry that it read.
const FIND = `
  with found as (
    select ${SESSION}, s.last_seen_at, ${EXPIRES_AT} as expires_at, encode(s.token_hash, 'hex') as "tokenHash",
           o.email, o.name, o.role, o.last_login_at as "lastLoginAt", o.created_at as "operatorCreatedAt"
      from operator_sessions s
      join operators o on o.id = s.operator_id
     where s.token_hash = any($3::bytea[]) and ${EXPIRES_AT} > $1 and not o.disabled
  ), extended as (
    update operator_sessions s
       set last_seen_at = $1, expires_at = least($5, ${EXPIRES_BY_AGE_AT})
      from found
     where s.id = found.id and s.last_seen_at <= $4
    returning s.id, s.last_seen_at, s.expires_at
  )
  select found.id, "tokenHash", "operatorId", "createdAt", ip, "userAgent", email, name, role, "lastLoginAt", "operatorCreatedAt",
         coalesce(extended.last_seen_at, found.last_seen_at) as "lastSeenAt",
         coalesce(extended.expires_at, found.expires_at) as "expiresAt",
         extended.id is not null as extended
    from found
    left join extended on extended.id = found.id`;

const VISIBLE = `${EXPIRES_AT} > $1 and ($3::uuid is null or s.operator_id = $3)`;
const LISTED = `${VISIBLE} and ($4::uuid is null or s.operator_id = $4)`;
const LIST = {
  rows: `
    select ${SESSION}, s.last_seen_at as "lastSeenAt", ${EXPIRES_AT} as "expiresAt"
      from operator_sessions s
     where ${LISTED}
     order by s.created_at desc, s.id desc
     limit $5 offset $6`,
  count: `select count(*)::int as total from operator_sessions s where ${LISTED}`,
};

const KEEP_LATEST = `
  delete from operator_sessions
   where id in (select id from operator_sessions where operator_id = $1 order by last_seen_at desc, id offset $2)`;

// TypeORM returns the rows of a select directly, but the rows of a delete in a pair with their count.
const DELETE = `
  with deleted as (
    delete from operator_sessions s where ${VISIBLE} and s.id = $4 returning s.operator_id
  )
  select operator_id from deleted`;

const DELETE_OF = `
  with deleted as (
    delete from operator_sessions where operator_id = $1 and ($2::uuid is null or id <> $2) returning *
  )
  select id, created_at as "createdAt", expires_at as "expiresAt" from deleted`;

const PRUNE = `
  delete from operator_sessions
   where id in (select s.id
                  from operator_sessions s
                 where s.expires_at <= $1
                    or s.created_at <= $1::timestamptz - $2::float8 * interval '1 millisecond'
                 order by s.expires_at
                 limit $3
                   for update skip locked)`;
