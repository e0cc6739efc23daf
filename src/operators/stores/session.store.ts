import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transaction } from '../../database/transactions.js';
import type { Operator } from '../operator.rules.js';
import type { Session } from '../session.js';

const PRUNE_BATCH_SIZE = 100;

interface Extension {
  readonly now: Date;
  readonly dueSince: Date;
  readonly until: Date;
}

export interface FoundSession {
  readonly session: Session;
  readonly operator: Operator;
  /** This lookup extended the session, so the cookie must be sent again. */
  readonly extended: boolean;
}

/** Reads and writes `operator_sessions`. Rows are deleted with their operator, or by the daily job when they expire. */
@Injectable()
export class SessionStore {
  constructor(private readonly source: DataSource) {}

  /** Finds enabled operators' sessions by token hash (64 hex digits), and extends those that are due. */
  async findAll(
    tokenHashes: readonly string[],
    { now, dueSince, until }: Extension,
  ): Promise<ReadonlyMap<string, FoundSession>> {
    const hashes = tokenHashes.map(byteaOf);
    const rows = await this.source.query<FoundRow[]>(FIND, [hashes, now, dueSince, until]);
    return new Map(rows.map(({ tokenHash, ...row }) => [tokenHash, foundOf(row)]));
  }

  async list(
    operatorId: string | null,
    now: Date,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ total: number; sessions: Session[] }> {
    const [sessions, [{ total }]] = await Promise.all([
      this.source.query<Session[]>(LIST, [now, operatorId, limit, offset]),
      this.source.query<[{ total: number }]>(COUNT, [now, operatorId]),
    ]);
    return { total, sessions };
  }

  async insert(transaction: Transaction, session: Session, tokenHash: string): Promise<void> {
    const { id, operatorId, createdAt, lastSeenAt, expiresAt, ip, userAgent } = session;
    await transaction.query(
      `insert into operator_sessions (id, operator_id, token_hash, created_at, last_seen_at, expires_at, ip, user_agent)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, operatorId, byteaOf(tokenHash), createdAt, lastSeenAt, expiresAt, ip, userAgent],
    );
  }

  async keepLatest(transaction: Transaction, operatorId: string, count: number): Promise<void> {
    await transaction.query(KEEP_LATEST, [operatorId, count]);
  }

  async delete(transaction: Transaction, id: string, ofOperatorId: string | null, now: Date): Promise<string | null> {
    const [row] = await transaction.query<{ operator_id: string }[]>(DELETE, [id, ofOperatorId, now]);
    return row?.operator_id ?? null;
  }

  async deleteOf(transaction: Transaction, operatorId: string): Promise<number> {
    const [{ count }] = await transaction.query<[{ count: number }]>(DELETE_OF, [operatorId]);
    return count;
  }

  async prune(transaction: Transaction, now: Date): Promise<void> {
    await transaction.query(PRUNE, [now, PRUNE_BATCH_SIZE]);
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

// If two lookups extend a session concurrently, the second one changes nothing and returns the expiry that it read.
const FIND = `
  with found as (
    select ${SESSION}, s.last_seen_at, s.expires_at, encode(s.token_hash, 'hex') as "tokenHash",
           o.email, o.name, o.role, o.last_login_at as "lastLoginAt", o.created_at as "operatorCreatedAt"
      from operator_sessions s
      join operators o on o.id = s.operator_id
     where s.token_hash = any($1::bytea[]) and s.expires_at > $2 and not o.disabled
  ), extended as (
    update operator_sessions s
       set last_seen_at = $2, expires_at = $4
      from found
     where s.id = found.id and s.last_seen_at <= $3
    returning s.id, s.last_seen_at, s.expires_at
  )
  select found.id, "tokenHash", "operatorId", "createdAt", ip, "userAgent", email, name, role, "lastLoginAt", "operatorCreatedAt",
         coalesce(extended.last_seen_at, found.last_seen_at) as "lastSeenAt",
         coalesce(extended.expires_at, found.expires_at) as "expiresAt",
         extended.id is not null as extended
    from found
    left join extended on extended.id = found.id`;

const CURRENT = 's.expires_at > $1 and ($2::uuid is null or s.operator_id = $2)';
const LIST = `
  select ${SESSION}, s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt"
    from operator_sessions s
   where ${CURRENT}
   order by s.created_at desc, s.id desc
   limit $3 offset $4`;
const COUNT = `select count(*)::int as total from operator_sessions s where ${CURRENT}`;

const KEEP_LATEST = `
  delete from operator_sessions
   where id in (select id from operator_sessions where operator_id = $1 order by last_seen_at desc, id offset $2)`;

const DELETE = `
  with deleted as (
    delete from operator_sessions s
     where s.id = $1 and ($2::uuid is null or s.operator_id = $2) and s.expires_at > $3
    returning s.operator_id
  )
  select operator_id from deleted`;

const DELETE_OF = `
  with deleted as (delete from operator_sessions where operator_id = $1 returning 1)
  select count(*)::int as count from deleted`;

const PRUNE = `
  delete from operator_sessions
   where id in (select id from operator_sessions where expires_at <= $1 order by expires_at limit $2 for update skip locked)`;
