import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { Transactions } from '../database/transactions.js';
import { invalidCredentials } from '../errors/catalogue.js';
import type { AdminActor } from '../request-context/caller-session.js';
import { emailKeyOf } from './account.rules.js';
import { FirstOwner } from './first-owner.service.js';
import { emailSubject, networkSubject } from './lockout.rules.js';
import { Passwords } from './passwords.service.js';
import type { SignedIn, SignInOrigin } from './session.js';
import { SessionsService } from './sessions.service.js';
import { type Account, operatorOf, OperatorStore } from './stores/operator.store.js';
import { ConcurrencyLimit } from '../fairness/concurrency-limit.js';

/** Session and audit row of a sign-in, in one transaction. Separate from `SignIn`, which would have six dependencies. */
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

/** Fewer than the guesses that are let in: of right passwords that come at once to a process none is taken for a sixth. */
const SIGNING_IN = { atOnce: 2, waiting: 200, waitMs: 2000 };

/** E-mail and password become a session, or one and the same refusal after the same time (D19). */
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
   * @throws GatewayError `invalid_credentials`; `rate_limit_exceeded` with Retry-After before the password is looked at,
   *   after five failures by e-mail or address; `service_unavailable` where too many wait
   */
  signIn(credentials: { email: string; password: string }, origin: SignInOrigin): Promise<SignedIn> {
    return this.passwordLimit.pass(() => this.lookAt(credentials, origin));
  }

  private async lookAt({ email, password }: { email: string; password: string }, origin: SignInOrigin) {
    await this.firstOwner.settled();
    const account = await this.operators.findByEmail(email);
    const byEmail = emailSubject(emailKeyOf(email));
    const subjects = [byEmail, ...(origin.ip === null ? [] : [networkSubject(origin.ip)])];
    const { right, guessId } = await this.passwords.judge(subjects, account?.passwordHash ?? null, password);
    if (right && account !== null) {
      const recorded = this.records.succeeded(account, { guessId, subject: byEmail }, origin);
      const signedIn = await recorded.catch((error: unknown) => this.passwords.takeBack(guessId, error));
      if (signedIn !== null) return signedIn;
    }
    await this.records.failed(account, origin);
    throw invalidCredentials();
  }
}
