import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import type { Page } from '../../platform/database/page.js';
import { Transactions } from '../../platform/database/transactions.js';
import { invalidInput, notFound, validationError } from '../../platform/errors/error-factories.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { limitOrNotFound } from './limits.service.js';
import { ROLLING_PARTS } from './limit-terms.data.js';
import type { Limit } from './limit.js';
import { shownAmount } from './shown-limit.rules.js';
import { LimitStore } from './stores/limit.store.js';
import { type TopUp, TopUpStore } from './stores/top-up.store.js';

export type { TopUp } from './stores/top-up.store.js';

/** Admission reads all active top-ups when the limit enters a new period. */
const ACTIVE_MAX = 100;

export interface GivenTopUp {
  /** In the unit of the limit, at least 1. */
  readonly amount: bigint;
  /**
   * Null if the top-up does not expire. By default, it expires at the end of the current period, or when the current usage has left a
   * rolling period. Under `total`, it does not expire by default.
   */
  readonly expiresAt: Date | null | undefined;
  readonly note: string | null;
}

/** Raises limits temporarily. Each change and its audit row are one transaction, and apply to the next request. */
@Injectable()
export class TopUps {
  constructor(
    private readonly store: TopUpStore,
    private readonly limits: LimitStore,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {}

  /** Returns the newest top-ups first, including expired ones. @throws GatewayError `not_found` */
  async list(limitId: number, page: Page): Promise<{ limit: Limit; total: number; topUps: TopUp[] }> {
    const limit = limitOrNotFound(await this.limits.find(limitId));
    return { limit, ...(await this.store.list(limitId, page)) };
  }

  /** @throws GatewayError `not_found`; `validation_error` for an expiry in the past, or above 100 active top-ups */
  add(
    limitId: number,
    givenFor: (limit: Limit) => GivenTopUp,
    actor: AdminActor,
  ): Promise<{ limit: Limit; topUp: TopUp }> {
    return this.transactions.run(async (transaction) => {
      const limit = limitOrNotFound(await this.limits.lock(transaction, limitId));
      const { amount, expiresAt: given, note } = givenFor(limit);
      const { id, now, periodEnd, active } = await this.store.prepare(transaction, limit);
      const expiresAt = given === undefined ? (periodEnd ?? rollingEnd(limit, now)) : given;
      if (expiresAt !== null && expiresAt <= now) throw invalidInput('expires_at', 'a time in the future');
      if (active >= ACTIVE_MAX)
        throw validationError('amount', `The limit already has ${ACTIVE_MAX} active top-ups. Delete one first.`);
      const values = { id, amount, expiresAt, note, createdBy: actor.id ?? actor.type };
      await this.audit.write(transaction, {
        action: 'limit.topped_up',
        actor,
        targetType: 'limit',
        targetId: String(limitId),
        metadata: { top_up: auditedTopUp(limit, values) },
      });
      return { limit, topUp: await this.store.insert(transaction, limitId, values) };
    });
  }

  /** @throws GatewayError `not_found` */
  delete(limitId: number, id: number, actor: AdminActor): Promise<void> {
    return this.transactions.run(async (transaction) => {
      const limit = limitOrNotFound(await this.limits.lock(transaction, limitId));
      const topUp = await this.store.find(transaction, limitId, id);
      if (topUp === null) throw notFound('Top-up not found');
      await this.audit.write(transaction, {
        action: 'limit.top_up_deleted',
        actor,
        targetType: 'limit',
        targetId: String(limitId),
        metadata: { top_up: auditedTopUp(limit, topUp) },
      });
      await this.store.delete(transaction, id);
    });
  }
}

/** When all current usage has left a rolling period. Null for other periods. */
function rollingEnd({ period }: Limit, now: Date): Date | null {
  const rolling = ROLLING_PARTS[period];
  if (rolling === undefined) return null;
  const { partMs, parts } = rolling;
  return new Date((Math.floor(now.getTime() / partMs) + parts) * partMs);
}

const auditedTopUp = (
  { measure }: Limit,
  { id, amount, expiresAt, note }: Pick<TopUp, 'id' | 'amount' | 'expiresAt' | 'note'>,
) => ({ id, amount: shownAmount(measure, amount), expires_at: expiresAt?.toISOString() ?? null, note });
