import { Injectable } from '@nestjs/common';
import { invalidCredentials } from '../errors/catalogue.js';
import { emailKeyOf } from './account.rules.js';
import { FirstOwner } from './first-owner.service.js';
import { emailSubject, networkSubject } from './lockout.rules.js';
import { Passwords } from './passwords.service.js';
import type { SignedIn, SignInOrigin } from './signed-in.js';
import { SignInRecords } from './sign-in-records.service.js';
import { OperatorStore } from './stores/operator.store.js';
import { ConcurrencyLimit } from '../fairness/concurrency-limit.js';

/** Fewer than the guesses that are let in: of right passwords that come at once to a process none is taken for a sixth. */
const SIGNING_IN = { atOnce: 2, waiting: 200, waitMs: 2000 };

/** E-mail and password become a session, or one and the same refusal after the same time (D19). */
@Injectable()
export class SignIn {
  private readonly turnstile = new ConcurrencyLimit(SIGNING_IN);

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
    return this.turnstile.pass(() => this.lookAt(credentials, origin));
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
