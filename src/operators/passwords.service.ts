import { Injectable } from '@nestjs/common';
import { hash, type Options, verify } from '@node-rs/argon2';
import type { Transaction } from '../database/transactions.js';
import { PASSWORD_LENGTH } from './account.rules.js';
import { Lockout } from './lockout.service.js';
import { ConcurrencyLimit } from '../fairness/concurrency-limit.js';

/** argon2id, which is the library's default algorithm: 19 MiB and some 20 ms of one core. */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Two of the four threads that a process has for work of this kind, and 38 MiB. */
const HASHING = { atOnce: 2, waiting: 100, waitMs: 2000 };

/** Of the same cost as a real one, and of no password. */
const DECOY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** One guess, looked at. */
interface JudgedGuess {
  readonly right: boolean;
  /** For `forgive`. */
  readonly guessId: string;
}

/** Hashes of passwords, a few at a time. No password is compared but through `judge`, which goes by the lockout first. */
@Injectable()
export class Passwords {
  private readonly hashing = new ConcurrencyLimit(HASHING);

  constructor(private readonly lockout: Lockout) {}

  /** @returns the PHC string @throws GatewayError `service_unavailable` where too many wait */
  hash(password: string): Promise<string> {
    return this.hashing.pass(() => hash(password, COST));
  }

  /**
   * Takes the same time whether or not there is somebody to compare with. The guess stays counted until it is forgiven.
   * @param stored PHC string; null: there is nobody
   * @throws GatewayError `rate_limit_exceeded` before the password is looked at, `service_unavailable` where too many wait
   */
  async judge(subjects: readonly string[], stored: string | null, password: string): Promise<JudgedGuess> {
    const guessId = await this.lockout.reserve(subjects);
    try {
      return { right: await this.hashing.pass(() => isRight(stored, password)), guessId };
    } catch (error) {
      return this.takeBack(guessId, error);
    }
  }

  /**
   * Nothing came of the guess, and not by the guesser's doing: it counts for nobody. Where that fails too it stays counted, for a quarter
   * of an hour. @throws `error`
   */
  async takeBack(guessId: string, error: unknown): Promise<never> {
    await this.lockout.withdraw(guessId).catch(() => undefined);
    throw error;
  }

  /** A right guess counts for nobody, and the earlier ones about `subject` are forgotten. */
  forgive(transaction: Transaction, guessId: string, subject: string): Promise<void> {
    return this.lockout.forgive(transaction, guessId, subject);
  }
}

async function isRight(stored: string | null, password: string): Promise<boolean> {
  const looked = password.slice(0, 2 * PASSWORD_LENGTH.max);
  return (await verify(stored ?? DECOY, looked)) && stored !== null && looked === password;
}
