import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { BatchedReads } from '../../platform/database/batched-reads.js';
import type { Page } from '../../platform/database/page.js';
import { type Transaction, Transactions } from '../../platform/database/transactions.js';
import { notFound } from '../../platform/errors/error-factories.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { Secrets } from '../../platform/secrets.js';
import { SESSIONS_MAX, type Session } from './session.js';
import { endOf, SessionLifetime } from './session-lifetime.service.js';
import { type FoundSession, type SessionFilter, SessionStore } from './stores/session.store.js';

export type { Session } from './session.js';
export type { FoundSession } from './stores/session.store.js';

const TOKEN_BYTES = 32;
const TOKEN = /^[0-9A-Za-z_-]{43}$/;
const IP_LENGTH_MAX = 64;
const USER_AGENT_LENGTH_MAX = 300;

/** Opens, finds and ends sessions. Each lookup also reads the operator, so account changes apply to the next request. */
@Injectable()
export class SessionsService {
  private readonly reads = new BatchedReads<FoundSession>((hashes) => this.readByHashes(hashes));

  constructor(
    private readonly store: SessionStore,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
    private readonly secrets: Secrets,
    private readonly lifetime: SessionLifetime,
  ) {}

  /**
   * Finds a session, and extends it if that is due. Returns null if it is unknown or expired, or if its operator is disabled.
   */
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

  cookieSecondsOf(session: Session): number {
    return this.lifetime.cookieSecondsOf(session);
  }

  list(filter: SessionFilter, page: Page): Promise<{ total: number; sessions: Session[] }> {
    return this.store.list(filter, this.lifetime.times(), page);
  }

  /**
   * @param ofOperatorId the required operator; null for any
   * @throws GatewayError `not_found`
   */
  async revoke(id: string, ofOperatorId: string | null, actor: AdminActor): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const operatorId = await this.store.delete(transaction, id, ofOperatorId, this.lifetime.times());
      if (operatorId === null) throw notFound('Session not found');
      await this.writeRevoked(transaction, id, operatorId, actor);
    });
  }

  /**
   * Ends all sessions of an operator except one.
   * @returns the number of sessions that had not ended before
   * @throws GatewayError `not_found` if there is no such operator
   */
  async revokeAll(
    operatorId: string,
    exceptId: string | null,
    actor: AdminActor,
  ): Promise<{ operatorId: string; ended: number }> {
    return this.transactions.run(async (transaction) => {
      const deleted = await this.store.deleteOf(transaction, operatorId, exceptId);
      if (deleted.length === 0 && !(await this.store.operatorExists(transaction, operatorId)))
        throw notFound('Operator not found');
      const ended = deleted.filter((session) => !this.lifetime.hasEnded(session));
      for (const { id } of ended) await this.writeRevoked(transaction, id, operatorId, actor);
      return { operatorId, ended: ended.length };
    });
  }

  /** Writes no audit row if the session has already ended. */
  async signOut({ id, operatorId }: Session, actor: AdminActor): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const ended = await this.store.delete(transaction, id, operatorId, this.lifetime.times());
      if (ended === null) return;
      await this.audit.write(transaction, {
        action: 'admin.logout',
        actor,
        targetType: 'operator',
        targetId: operatorId,
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
    const times = this.lifetime.times();
    const { now } = times;
    const session = {
      id: randomUUID(),
      operatorId,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: endOf(now, times),
      ip: storable(ip, IP_LENGTH_MAX),
      userAgent: storable(userAgent, USER_AGENT_LENGTH_MAX),
    };
    await this.store.prune(transaction, times);
    await this.store.keepLatest(transaction, operatorId, SESSIONS_MAX - 1);
    await this.store.insert(transaction, session, hashOf(token));
    return { token, session };
  }

  private readByHashes(hashes: readonly string[]): Promise<ReadonlyMap<string, FoundSession>> {
    return this.store.findAndExtend(hashes, this.lifetime.times());
  }

  private writeRevoked(transaction: Transaction, id: string, operatorId: string, actor: AdminActor): Promise<void> {
    return this.audit.write(transaction, {
      action: 'admin.session_revoked',
      actor,
      targetType: 'session',
      targetId: id,
      metadata: { operator_id: operatorId },
    });
  }
}

/** A plain hash is enough, because 32 random bytes cannot be guessed. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Shortens the client's text, and removes characters that PostgreSQL cannot store. */
function storable(text: string | null, lengthMax: number): string | null {
  return text === null ? null : text.slice(0, lengthMax).replaceAll('\0', '').toWellFormed();
}
