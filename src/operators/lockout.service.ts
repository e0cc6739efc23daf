import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { tooManyGuesses } from '../errors/catalogue.js';
import { waitMs, WINDOW_MS } from './lockout.rules.js';
import { PasswordAttemptStore } from './stores/password-attempt.store.js';

/**
 * Five wrong passwords in 15 minutes, over all processes (D19). A guess is recorded as wrong before the password is checked,
 * and removed if it was right: so concurrent guesses cannot exceed five, and a guess of a process that dies stays counted.
 * Refused guesses are not counted, so that the lock ends.
 */
@Injectable()
export class Lockout {
  constructor(
    private readonly store: PasswordAttemptStore,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * @param subjects what the guess is counted by (`lockout.rules.ts`)
   * @returns the guess, for `forgive`
   * @throws GatewayError `rate_limit_exceeded` where one of them has had its five
   */
  async reserve(subjects: readonly string[]): Promise<string> {
    const guessId = randomUUID();
    await this.transactions.run(async (transaction) => {
      await this.store.lock(transaction, subjects);
      const nowMs = this.clock.now();
      const guesses = await this.store.since(transaction, subjects, nowMs - WINDOW_MS);
      const longestMs = Math.max(...guesses.map((atMs) => waitMs(atMs, nowMs)));
      if (longestMs > 0) throw tooManyGuesses(Math.ceil(longestMs / 1000));
      await this.store.prune(transaction, nowMs - WINDOW_MS);
      await this.store.add(transaction, guessId, subjects, nowMs);
    });
    return guessId;
  }

  /** The guess was right: it counts for nobody, and the earlier ones about `subject` are forgotten. */
  async forgive(transaction: Transaction, guessId: string, subject: string): Promise<void> {
    await this.store.remove(transaction, guessId);
    await this.store.clear(transaction, subject);
  }

  /** Nothing came of the guess, and it was not the guesser's doing. */
  async withdraw(guessId: string): Promise<void> {
    await this.transactions.run((transaction) => this.store.remove(transaction, guessId));
  }
}
