import { Injectable } from '@nestjs/common';
import { hash, type Options, verify } from '@node-rs/argon2';
import type { Transaction } from '../../platform/database/transactions.js';
import { PASSWORD_LENGTH } from './password.rules.js';
import { Lockout } from './lockout.service.js';
import { ConcurrencyLimit } from '../../platform/fairness/concurrency-limit.js';

/** The library's default for argon2id. A hash takes 19 MiB and about 20 ms of one core. */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Uses two of the four libuv threads of a process, and 38 MiB. */
const HASHING = { atOnce: 2, waiting: 100, waitMs: 2000 };

/** A hash that no password matches, at the cost of a real one. It makes unknown operators as slow as known ones. */
const DECOY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

interface VerifiedGuess {
  readonly right: boolean;
  readonly guessId: string;
}

/** Verifies passwords, only after the lockout allows another guess. */
@Injectable()
export class Passwords {
  private readonly hashing = new ConcurrencyLimit(HASHING);

  constructor(private readonly lockout: Lockout) {}

  /**
   * Returns a PHC string.
   * @throws GatewayError `service_unavailable` under overload
   */
  hash(password: string): Promise<string> {
    return this.hashing.pass(() => hash(password, COST));
  }

  /**
   * Verifies a password in the same time whether or not the operator exists. The guess counts until it is forgiven.
   * @param stored PHC string; null if the operator does not exist
   * @throws GatewayError `rate_limit_exceeded` before the password is verified, `service_unavailable` under overload
   */
  async verify(subjects: readonly string[], stored: string | null, password: string): Promise<VerifiedGuess> {
    const guessId = await this.lockout.reserve(subjects);
    try {
      return { right: await this.hashing.pass(() => isRight(stored, password)), guessId };
    } catch (error) {
      return this.withdraw(guessId, error);
    }
  }

  /** Withdraws a guess that failed with an error, and throws the error. */
  async withdraw(guessId: string, error: unknown): Promise<never> {
    await this.lockout.withdraw(guessId).catch(() => undefined);
    throw error;
  }

  forgive(transaction: Transaction, guessId: string, subject: string): Promise<void> {
    return this.lockout.forgive(transaction, guessId, subject);
  }
}

/** A longer password is wrong. It is truncated, because hashing it would take longer. */
async function isRight(stored: string | null, password: string): Promise<boolean> {
  const bounded = password.slice(0, 2 * PASSWORD_LENGTH.max);
  return (await verify(stored ?? DECOY, bounded)) && stored !== null && bounded === password;
}
