import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock/clock.js';
import { BatchedReads } from '../database/batched-reads.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { notFound } from '../errors/catalogue.js';
import type { AdminActor } from '../request-context/caller-session.js';
import { Secrets } from '../secrets/secrets.js';
import { EXTEND_EACH_MS, SESSION_MS, SESSIONS_MAX, type Session } from './session.js';
import { type FoundSession, SessionStore } from './stores/session.store.js';

export type { Session } from './session.js';
export type { FoundSession } from './stores/session.store.js';

const TOKEN_BYTES = 32;
const TOKEN = /^[0-9A-Za-z_-]{43}$/;
const IP_LENGTH_MAX = 64;
const USER_AGENT_LENGTH_MAX = 300;

/** Who is signed in. Each look reads the operator too, so what is changed there holds on the next request. */
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

  /**
   * By the cookie's token, whatever it is; the session is used by it: its expiry slides.
   * Null: there is none such, it is expired, or its operator is disabled or gone.
   */
  async find(token: string): Promise<FoundSession | null> {
    return TOKEN.test(token) ? this.reads.read(hashOf(token)) : null;
  }

  /** The same for as long as the session lives and GW_SECRET_KEY keeps its first key; 43 characters, base64url. */
  csrfTokenOf({ id }: Session): string {
    return this.secrets.sign('csrf-token', id);
  }

  /** Also one made with the other key of a rotation. Constant time. */
  isCsrfToken({ id }: Session, token: string): boolean {
    return this.secrets.verifies('csrf-token', id, token);
  }

  /** Newest first, expired ones left out. @param operatorId null: those of all */
  list(
    operatorId: string | null,
    page: { limit: number; offset: number },
  ): Promise<{ total: number; sessions: Session[] }> {
    return this.store.list(operatorId, new Date(this.clock.now()), page);
  }

  /**
   * Ends a session from elsewhere.
   * @param ofOperatorId whose it has to be; null: anybody's
   * @throws GatewayError `not_found`
   */
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

  /** Ends the caller's own session; one that is gone already leaves no audit row. */
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

  /** Begins one, inside the transaction of a sign-in that holds the operator's row. */
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
      dueSince: new Date(nowMs - EXTEND_EACH_MS),
      until: new Date(nowMs + SESSION_MS),
    });
  }
}

/** Of 32 random bytes a plain hash is enough: there is nothing to guess. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** What a client says of itself, as far as PostgreSQL can keep it. */
function storable(text: string | null, lengthMax: number): string | null {
  return text === null ? null : text.slice(0, lengthMax).replaceAll('\0', '').toWellFormed();
}
