import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../audit/audit-action.data.js';
import { AuditLog } from '../audit/audit-log.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { notFound, validationError, wrongCurrentPassword } from '../errors/catalogue.js';
import { type AdminActor, SYSTEM_ACTOR } from '../request-context/caller-session.js';
import {
  checkedEmail,
  checkedName,
  checkedPassword,
  type Operator,
  losesOwner,
  operatorChanges,
  type OperatorFields,
  type Role,
} from './account.rules.js';
import { operatorSubject } from './lockout.rules.js';
import { Passwords } from './passwords.service.js';
import { type Account, operatorOf, OperatorStore } from './stores/operator.store.js';
import { SessionStore } from './stores/session.store.js';

export type { Operator } from './account.rules.js';

export interface NewOperator {
  /** Blanks around it are taken off. */
  readonly email: string;
  /** 1 to 255 characters. */
  readonly name: string;
  readonly role: Role;
  /** 12 to 200 characters. */
  readonly password: string;
}

/** What is left out, or null, stays as it is. */
interface OperatorChanges {
  readonly name?: string | null;
  readonly role?: Role | null;
  readonly disabled?: boolean | null;
}

/**
 * Accounts. Each change and its audit row are one transaction, and take effect on the operator's next request. Every
 * method that takes an id throws `not_found` for an unknown one; what cannot be is 400 `validation_error` with its field.
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

  /** Newest first. */
  list(page: { limit: number; offset: number }): Promise<{ total: number; operators: Operator[] }> {
    return this.store.list(page);
  }

  /** Whatever the letter case. Null: there is none. */
  async findByEmail(email: string): Promise<Operator | null> {
    const account = await this.store.findByEmail(email);
    return account && operatorOf(account);
  }

  /** @throws GatewayError `validation_error`, param `email`, also where another operator has it */
  async create(operator: NewOperator, actor: AdminActor): Promise<Operator> {
    const account = await this.accountOf(operator);
    return this.transactions.run((transaction) => this.insert(transaction, account, actor));
  }

  /** Makes an operator where there is none at all: of several processes that try it one does. Null: there is one already. */
  async createFirst(operator: NewOperator): Promise<Operator | null> {
    if (!(await this.store.isEmpty())) return null;
    const account = await this.accountOf(operator);
    return this.transactions.run(async (transaction) => {
      await this.store.lockOwners(transaction);
      return (await this.store.isEmpty(transaction)) ? this.insert(transaction, account, SYSTEM_ACTOR) : null;
    });
  }

  /** Disabling ends the operator's sessions. Where nothing differs nothing is written. */
  update(id: string, changes: OperatorChanges, actor: AdminActor): Promise<Operator> {
    return this.transactions.run(async (transaction) => {
      await this.store.lockOwners(transaction);
      const before = await this.locked(transaction, id);
      const after = afterChanges(before, changes);
      const differing = operatorChanges(before, after);
      if (Object.keys(differing).length === 0) return operatorOf(before);
      const param = after.role === 'owner' ? 'disabled' : 'role';
      await this.keepAnOwner(transaction, before, after, param);
      await this.write(transaction, 'operator.updated', actor, id, { changes: differing });
      await this.store.update(transaction, id, after);
      if (after.disabled) await this.sessions.deleteOf(transaction, id);
      return operatorOf(after);
    });
  }

  /** With all sessions. */
  delete(id: string, actor: AdminActor): Promise<void> {
    return this.transactions.run(async (transaction) => {
      await this.store.lockOwners(transaction);
      const account = await this.locked(transaction, id);
      await this.keepAnOwner(transaction, account, null, 'id');
      await this.write(transaction, 'operator.deleted', actor, id, { changes: operatorChanges(account, null) });
      await this.store.delete(transaction, id);
    });
  }

  /** For an owner: ends all of that operator's sessions. @throws GatewayError `validation_error`, param `new_password` */
  async setPassword(id: string, newPassword: string, actor: AdminActor): Promise<void> {
    const passwordHash = await this.passwords.hash(checkedPassword(newPassword, 'new_password'));
    await this.transactions.run(async (transaction) => {
      await this.locked(transaction, id);
      const ended = await this.sessions.deleteOf(transaction, id);
      await this.write(transaction, 'operator.password_changed', actor, id, { sessions_ended: ended });
      await this.store.setPasswordHash(transaction, id, passwordHash);
    });
  }

  /**
   * Sessions stay. Wrong current passwords are counted like those of a sign-in, but apart from them.
   * @throws GatewayError `invalid_credentials` for a wrong current password, `rate_limit_exceeded` after five
   */
  async changeOwnPassword(id: string, current: string, newPassword: string, actor: AdminActor): Promise<void> {
    checkedPassword(newPassword, 'new_password');
    const subject = operatorSubject(id);
    const account = await this.store.find(id);
    // Before the guess, which would count though it is right where there is no place in line for this.
    const passwordHash = await this.passwords.hash(newPassword);
    const { right, guessId } = await this.passwords.judge([subject], account?.passwordHash ?? null, current);
    if (!right) throw wrongCurrentPassword();
    await this.transactions.run(async (transaction) => {
      // Changed by somebody else meanwhile.
      if ((await this.locked(transaction, id)).passwordHash !== account?.passwordHash) throw wrongCurrentPassword();
      await this.passwords.forgive(transaction, guessId, subject);
      await this.write(transaction, 'operator.password_changed', actor, id, { sessions_ended: 0 });
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
    if (operator === null) throw validationError('email', 'There is an operator with this e-mail already.');
    await this.write(transaction, 'operator.created', actor, operator.id, { changes: operatorChanges(null, operator) });
    return operator;
  }

  private async locked(transaction: Transaction, id: string): Promise<Account> {
    const account = await this.store.lock(transaction, id);
    if (account === null) throw notFound('Operator not found');
    return account;
  }

  private async keepAnOwner(
    transaction: Transaction,
    before: OperatorFields,
    after: OperatorFields | null,
    param: string,
  ): Promise<void> {
    if (losesOwner(before, after) && !(await this.store.hasOtherOwner(transaction, before.id)))
      throw validationError(param, 'The last owner cannot be removed, disabled or demoted.');
  }

  private write(
    transaction: Transaction,
    action: AuditAction,
    actor: AdminActor,
    targetId: string,
    metadata: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    return this.audit.write(transaction, { action, actor, targetType: 'operator', targetId, metadata });
  }
}

const afterChanges = (before: Account, { name, role, disabled }: OperatorChanges): Account => ({
  ...before,
  name: checkedName(name ?? before.name),
  role: role ?? before.role,
  disabled: disabled ?? before.disabled,
});
