import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock/clock.js';
import { BatchedReads } from '../database/batched-reads.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { notFound } from '../errors/error-factories.js';
import type { AdminActor } from '../request-context/caller-session.js';
import { Secrets } from '../secrets/secrets.js';
import { EXTEND_INTERVAL_MS, SESSION_MS, SESSIONS_MAX, type Session } from './session.js';
import { type FoundSession, SessionStore } from './stores/session.store.js';

export type { Session } from './session.js';
export type { FoundSession } from './stores/session.store.js';

const TOKEN_BYTES = 32;
const TOKEN = /^[0-9A-Za-z_-]{43}$/;
const IP_LENGTH_MAX = 64;
const USER_AGENT_LENGTH_MAX = 300;

/** Each lookup also reads the operator, so account changes apply to the next request. */
@Injectable()
export class SessionsService {
  private readonly reads = new BatchedReads<FoundSession>((hashes) => this.readByHashes(hashes));

  constructor(
    private readonly store: SessionStore,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** Extends the session if that is due. Returns null if it is unknown or expired, or its operator disabled. */
  async find(token: string): Promise<FoundSession | null> {
    return TOKEN.test(token) ? this.reads.read(hashOf(token)) : null;
  }

  /** Returns 43 characters of base64url. The token changes only if the first key of GW_SECRET_KEY changes. */
  csrfTokenOf({ id }: Session): string {
    return this.secrets.sign('csrf-token', id);
  }

  /** Accepts tokens of all keys in GW_SECRET_KEY, for rotation. Runs in constant time. */
  isCsrfToken({ id }: Session, token: string): boolean {
    return this.secrets.verifies('csrf-token', id, token);
  }

  list(
    operatorId: string | null,
    page: { limit: number; offset: number },
  ): Promise<{ total: number; sessions: Session[] }> {
    return this.store.list(operatorId, new Date(this.clock.now()), page);
  }

  /** @param ofOperatorId the required operator; null for any @throws GatewayError `not_found` */
  async revoke(id: string, ofOperatorId: string | null, actor: AdminActor): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const operatorId = await this.store.delete(transaction, id, ofOperatorId, new Date(this.clock.now()));
      if (operatorId === null) throw notFound('Session not found');
      await this.audit.write(transaction, {
        ...{ action: 'admin.session_revoked', actor, targetType: 'session', targetId: id },
        metadata: { operator_id: operatorId },
      });
    });
  }

  /** Writes no audit row if the session has already ended. */
  async signOut({ id, operatorId }: Session, actor: AdminActor): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const ended = await this.store.delete(transaction, id, operatorId, new Date(this.clock.now()));
      if (ended === null) return;
      await this.audit.write(transaction, {
        ...{ action: 'admin.logout', actor, targetType: 'operator', targetId: operatorId },
        metadata: { session_id: id },
      });
    });
  }

  /** The caller's transaction must hold the lock on the operator's row. */
  async open(
    transaction: Transaction,
    operatorId: string,
    { ip, userAgent }: { ip: string | null; userAgent: string | null },
  ): Promise<{ token: string; session: Session }> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const now = new Date(this.clock.now());
    const session = {
      ...{ id: randomUUID(), operatorId, createdAt: now, lastSeenAt: now },
      expiresAt: new Date(now.getTime() + SESSION_MS),
      ip: storable(ip, IP_LENGTH_MAX),
      userAgent: storable(userAgent, USER_AGENT_LENGTH_MAX),
    };
    await this.store.prune(transaction, now);
    await this.store.keepLatest(transaction, operatorId, SESSIONS_MAX - 1);
    await this.store.insert(transaction, session, hashOf(token));
    return { token, session };
  }

  private readByHashes(hashes: readonly string[]): Promise<ReadonlyMap<string, FoundSession>> {
    const nowMs = this.clock.now();
    return this.store.findAll(hashes, {
      now: new Date(nowMs),
      dueSince: new Date(nowMs - EXTEND_INTERVAL_MS),
      until: new Date(nowMs + SESSION_MS),
    });
  }
}

/** A plain hash is enough, because 32 random bytes cannot be guessed. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Shortens client text, and removes characters that PostgreSQL cannot store. */
function storable(text: string | null, lengthMax: number): string | null {
  return text === null ? null : text.slice(0, lengthMax).replaceAll('\0', '').toWellFormed();
}
