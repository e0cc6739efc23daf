import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { Transactions } from '../../platform/database/transactions.js';
import { invalidCredentials } from '../../platform/errors/error-factories.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { emailKeyOf } from './operator.rules.js';
import { FirstOwner } from './first-owner.service.js';
import { emailSubject, networkSubject } from './lockout.service.js';
import { Passwords } from './passwords.service.js';
import type { SignedIn, SignInOrigin } from './session.js';
import { SessionsService } from './sessions.service.js';
import { type Account, operatorOf, OperatorStore } from './stores/operator.store.js';
import { ConcurrencyLimit } from '../../platform/fairness/concurrency-limit.js';

/** Records the results of sign-ins. It is separate from `SignIn`, which would otherwise have too many dependencies. */
@Injectable()
export class SignInRecords {
  constructor(
    private readonly operators: OperatorStore,
    private readonly sessions: SessionsService,
    private readonly passwords: Passwords,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {}

  /** Returns null if the account was disabled or deleted, or got another password, since the password was verified. */
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
        action: 'admin.login',
        actor: actorOf(id, origin),
        targetType: 'operator',
        targetId: id,
        metadata: { session_id: session.id },
      });
      await this.operators.setLastLogin(transaction, id, session.createdAt);
      const operator = operatorOf({ ...account, lastLoginAt: session.createdAt });
      return { token, session, operator, csrfToken: this.sessions.csrfTokenOf(session) };
    });
  }

  /** An unknown email is not stored, because people type passwords into that field. */
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

/** Below the lockout limit, so that concurrent correct passwords on one process are never rejected as a sixth guess. */
const SIGNING_IN = { atOnce: 2, waiting: 200, waitMs: 2000 };

/** Signs operators in. All wrong credentials get the same error after the same time (D19). */
@Injectable()
export class SignIn {
  private readonly passwordLimit = new ConcurrencyLimit(SIGNING_IN);

  constructor(
    private readonly operators: OperatorStore,
    private readonly passwords: Passwords,
    private readonly records: SignInRecords,
    private readonly firstOwner: FirstOwner,
  ) {}

  /**
   * @throws GatewayError `invalid_credentials`, `service_unavailable`, or `rate_limit_exceeded` before the password is verified
   */
  signIn(credentials: { email: string; password: string }, origin: SignInOrigin): Promise<SignedIn> {
    return this.passwordLimit.pass(() => this.attempt(credentials, origin));
  }

  private async attempt({ email, password }: { email: string; password: string }, origin: SignInOrigin) {
    await this.firstOwner.settled();
    const account = await this.operators.findByEmail(email);
    const byEmail = emailSubject(emailKeyOf(email));
    const subjects = [byEmail, ...(origin.ip === null ? [] : [networkSubject(origin.ip)])];
    const { right, guessId } = await this.passwords.verify(subjects, account?.passwordHash ?? null, password);
    if (right && account !== null) {
      const recorded = this.records.succeeded(account, { guessId, subject: byEmail }, origin);
      const signedIn = await recorded.catch((error: unknown) => this.passwords.withdraw(guessId, error));
      if (signedIn !== null) return signedIn;
    }
    await this.records.failed(account, origin);
    throw invalidCredentials();
  }
}
