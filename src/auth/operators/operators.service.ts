import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../audit/audit-action.data.js';
import { AuditLog } from '../../audit/audit-log.js';
import type { Page } from '../../platform/database/page.js';
import { type Transaction, Transactions } from '../../platform/database/transactions.js';
import { notFound, validationError, wrongCurrentPassword } from '../../platform/errors/error-factories.js';
import { type AdminActor, SYSTEM_ACTOR } from '../../platform/request-context/caller-session.js';
import {
  checkedEmail,
  checkedName,
  type Operator,
  removesActiveOwner,
  operatorChanges,
  type OperatorFields,
} from './operator.rules.js';
import { checkedPassword } from './password.rules.js';
import { type Role } from './role.rules.js';
import { operatorSubject } from './lockout.service.js';
import { Passwords } from './passwords.service.js';
import { type Account, operatorOf, OperatorStore } from './stores/operator.store.js';
import { SessionStore } from './stores/session.store.js';

export type { Operator } from './operator.rules.js';

export interface NewOperator {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly password: string;
}

interface OperatorChanges {
  readonly name?: string | null;
  readonly role?: Role | null;
  readonly disabled?: boolean | null;
}

export interface OwnPasswordChange {
  readonly current: string;
  readonly next: string;
  /** The only session of the operator that continues. If it is null, all continue. */
  readonly onlySessionLeft: string | null;
}

/**
 * Changes operators. A change and its audit row are one transaction, and apply to the operator's next request. Methods with an
 * ID throw `not_found` if it is unknown. Invalid fields result in `validation_error`.
 */
@Injectable()
export class OperatorsService {
  constructor(
    private readonly store: OperatorStore,
    private readonly sessions: SessionStore,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
    private readonly passwords: Passwords,
  ) {}

  list(page: Page): Promise<{ total: number; operators: Operator[] }> {
    return this.store.list(page);
  }

  async findByEmail(email: string): Promise<Operator | null> {
    const account = await this.store.findByEmail(email);
    return account && operatorOf(account);
  }

  /** @throws GatewayError `validation_error`, param `email`, if another operator has the email */
  async create(operator: NewOperator, actor: AdminActor): Promise<Operator> {
    const account = await this.accountOf(operator);
    return this.transactions.run((transaction) => this.insert(transaction, account, actor));
  }

  /** Creates the first operator, or returns null if one exists. Only one of several concurrent processes creates it. */
  async createFirst(operator: NewOperator): Promise<Operator | null> {
    if (!(await this.store.isEmpty())) return null;
    const account = await this.accountOf(operator);
    return this.transactions.run(async (transaction) => {
      await this.store.lockOwners(transaction);
      return (await this.store.isEmpty(transaction)) ? this.insert(transaction, account, SYSTEM_ACTOR) : null;
    });
  }

  /** Disabling ends the operator's sessions. An update without changes writes nothing. */
  update(id: string, changes: OperatorChanges, actor: AdminActor): Promise<Operator> {
    return this.transactions.run(async (transaction) => {
      await this.store.lockOwners(transaction);
      const before = await this.lockOrThrow(transaction, id);
      const after = afterChanges(before, changes);
      const differing = operatorChanges(before, after);
      if (Object.keys(differing).length === 0) return operatorOf(before);
      const param = after.role === 'owner' ? 'disabled' : 'role';
      await this.ensureOwnerRemains(transaction, before, after, param);
      await this.writeAudit(transaction, actor, { action: 'operator.updated', id, metadata: { changes: differing } });
      await this.store.update(transaction, id, after);
      if (after.disabled) await this.sessions.deleteOf(transaction, id);
      return operatorOf(after);
    });
  }

  delete(id: string, actor: AdminActor): Promise<void> {
    return this.transactions.run(async (transaction) => {
      await this.store.lockOwners(transaction);
      const account = await this.lockOrThrow(transaction, id);
      await this.ensureOwnerRemains(transaction, account, null, 'id');
      await this.writeAudit(transaction, actor, {
        action: 'operator.deleted',
        id,
        metadata: { changes: operatorChanges(account, null) },
      });
      await this.store.delete(transaction, id);
    });
  }

  /**
   * Sets a password and ends all sessions of the operator.
   * @throws GatewayError `validation_error`, param `new_password`
   */
  async setPassword(id: string, newPassword: string, actor: AdminActor): Promise<void> {
    const passwordHash = await this.passwords.hash(checkedPassword(newPassword, 'new_password'));
    await this.transactions.run(async (transaction) => {
      await this.lockOrThrow(transaction, id);
      const ended = await this.sessions.deleteOf(transaction, id);
      await this.writeAudit(transaction, actor, {
        action: 'operator.password_changed',
        id,
        metadata: { sessions_ended: ended.length },
      });
      await this.store.setPasswordHash(transaction, id, passwordHash);
    });
  }

  /**
   * Changes the caller's password, which has its own lockout.
   * @throws GatewayError `invalid_credentials`, `rate_limit_exceeded`
   */
  async changeOwnPassword(
    id: string,
    { current, next, onlySessionLeft }: OwnPasswordChange,
    actor: AdminActor,
  ): Promise<void> {
    checkedPassword(next, 'new_password');
    const subject = operatorSubject(id);
    const account = await this.store.find(id);
    // Hash before checking the guess: a full hashing queue must not leave a correct guess counted as wrong.
    const passwordHash = await this.passwords.hash(next);
    const { right, guessId } = await this.passwords.verify([subject], account?.passwordHash ?? null, current);
    if (!right) throw wrongCurrentPassword();
    await this.transactions.run(async (transaction) => {
      if ((await this.lockOrThrow(transaction, id)).passwordHash !== account?.passwordHash)
        throw wrongCurrentPassword();
      await this.passwords.forgive(transaction, guessId, subject);
      const ended = onlySessionLeft === null ? [] : await this.sessions.deleteOf(transaction, id, onlySessionLeft);
      await this.writeAudit(transaction, actor, {
        action: 'operator.password_changed',
        id,
        metadata: { sessions_ended: ended.length },
      });
      await this.store.setPasswordHash(transaction, id, passwordHash);
    });
  }

  private async accountOf({ email, name, role, password }: NewOperator) {
    const checked = { email: checkedEmail(email), name: checkedName(name), role };
    return { ...checked, passwordHash: await this.passwords.hash(checkedPassword(password, 'password')) };
  }

  private async insert(
    transaction: Transaction,
    account: Pick<Account, 'email' | 'name' | 'role' | 'passwordHash'>,
    actor: AdminActor,
  ): Promise<Operator> {
    const operator = await this.store.insert(transaction, account);
    if (operator === null)
      throw validationError('email', 'An operator with this email already exists. Use another email.');
    await this.writeAudit(transaction, actor, {
      action: 'operator.created',
      id: operator.id,
      metadata: { changes: operatorChanges(null, operator) },
    });
    return operator;
  }

  private async lockOrThrow(transaction: Transaction, id: string): Promise<Account> {
    const account = await this.store.lock(transaction, id);
    if (account === null) throw notFound('Operator not found');
    return account;
  }

  private async ensureOwnerRemains(
    transaction: Transaction,
    before: OperatorFields,
    after: OperatorFields | null,
    param: string,
  ): Promise<void> {
    if (removesActiveOwner(before, after) && !(await this.store.hasOtherOwner(transaction, before.id)))
      throw validationError(
        param,
        'The last owner cannot be removed, disabled or demoted. Make another operator an owner first.',
      );
  }

  private writeAudit(
    transaction: Transaction,
    actor: AdminActor,
    { action, id, metadata }: AuditedAction,
  ): Promise<void> {
    return this.audit.write(transaction, { action, actor, targetType: 'operator', targetId: id, metadata });
  }
}

interface AuditedAction {
  readonly action: AuditAction;
  readonly id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const afterChanges = (before: Account, { name, role, disabled }: OperatorChanges): Account => ({
  ...before,
  name: checkedName(name ?? before.name),
  role: role ?? before.role,
  disabled: disabled ?? before.disabled,
});
