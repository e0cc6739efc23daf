import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { signInLockedOut } from '../errors/error-factories.js';
import { waitMs, WINDOW_MS } from './lockout.rules.js';
import { PasswordAttemptStore } from './stores/password-attempt.store.js';

/**
 * Limits wrong passwords to five in 15 minutes, across all processes (D19). A guess is recorded as wrong before the password is
 * checked, and removed if it was correct. Concurrent guesses therefore cannot exceed five, and a guess counts even if the
 * process dies. Rejected guesses do not count, so the lockout ends.
 */
@Injectable()
export class Lockout {
  constructor(
    private readonly store: PasswordAttemptStore,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Returns the ID of the guess. @throws GatewayError `rate_limit_exceeded` if a subject already has five guesses */
  async reserve(subjects: readonly string[]): Promise<string> {
    const guessId = randomUUID();
    await this.transactions.run(async (transaction) => {
      await this.store.lock(transaction, subjects);
      const nowMs = this.clock.now();
      const guesses = await this.store.since(transaction, subjects, nowMs - WINDOW_MS);
      const longestMs = Math.max(...guesses.map((atMs) => waitMs(atMs, nowMs)));
      if (longestMs > 0) throw signInLockedOut(Math.ceil(longestMs / 1000));
      await this.store.prune(transaction, nowMs - WINDOW_MS);
      await this.store.add(transaction, guessId, subjects, nowMs);
    });
    return guessId;
  }

  /** Removes a correct guess, and all earlier guesses about `subject`. */
  async forgive(transaction: Transaction, guessId: string, subject: string): Promise<void> {
    await this.store.remove(transaction, guessId);
    await this.store.clear(transaction, subject);
  }

  /** Removes a guess that failed for a reason other than the password. */
  async withdraw(guessId: string): Promise<void> {
    await this.transactions.run((transaction) => this.store.remove(transaction, guessId));
  }
}
