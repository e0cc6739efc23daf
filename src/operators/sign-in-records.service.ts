import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { Transactions } from '../database/transactions.js';
import type { AdminActor } from '../request-context/caller-session.js';
import { Passwords } from './passwords.service.js';
import { SessionsService } from './sessions.service.js';
import type { SignedIn, SignInOrigin } from './signed-in.js';
import { type Account, operatorOf, OperatorStore } from './stores/operator.store.js';

/** What a sign-in leaves behind once the password has been looked at: session and audit row, each in one transaction. */
@Injectable()
export class SignInRecords {
  constructor(
    private readonly operators: OperatorStore,
    private readonly sessions: SessionsService,
    private readonly passwords: Passwords,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {}

  /**
   * @param account as it was when the password proved right
   * @returns null where it may not sign in: disabled, or deleted or given another password meanwhile
   */
  succeeded(
    { id, passwordHash }: Account,
    guess: { guessId: string; subject: string },
    origin: SignInOrigin,
  ): Promise<SignedIn | null> {
    return this.transactions.run(async (transaction) => {
      const account = await this.operators.lock(transaction, id);
      if (account === null || account.disabled || account.passwordHash !== passwordHash) return null;
      await this.passwords.forgive(transaction, guess.guessId, guess.subject);
      const { token, session } = await this.sessions.open(transaction, id, origin);
      await this.audit.write(transaction, {
        ...{ action: 'admin.login', actor: actorOf(id, origin), targetType: 'operator', targetId: id },
        metadata: { session_id: session.id },
      });
      await this.operators.setLastLogin(transaction, id, session.createdAt);
      const operator = operatorOf({ ...account, lastLoginAt: session.createdAt });
      return { token, session, operator, csrfToken: this.sessions.csrfTokenOf(session) };
    });
  }

  /** An e-mail that is nobody's is not kept: people type passwords into that field. */
  async failed(account: Account | null, origin: SignInOrigin): Promise<void> {
    await this.transactions.run((transaction) =>
      this.audit.write(transaction, {
        action: 'admin.login_failed',
        actor: actorOf(account?.id ?? null, origin),
        targetType: 'operator',
        targetId: account?.id ?? null,
        metadata: account === null ? {} : { email: account.email },
      }),
    );
  }
}

function actorOf(operatorId: string | null, { requestId, ip }: SignInOrigin): AdminActor {
  return { type: operatorId === null ? 'system' : 'operator', id: operatorId, requestId, ip };
}
