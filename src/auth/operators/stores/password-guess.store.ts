import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transactions.js';

/** A guess adds at most two rows and prunes up to 20, so expired rows do not pile up. */
const PRUNE_BATCH_SIZE = 20;

/**
 * Stores password guesses for `Lockout`. A guess counts for several subjects, such as `email:…`, `operator:…` and `network:…`,
 * and has one row per subject.
 */
@Injectable()
export class PasswordGuessStore {
  /** Serializes counting and adding guesses about these subjects until the transaction ends. */
  async lock(transaction: Transaction, subjects: readonly string[]): Promise<void> {
    await transaction.query(LOCK, [subjects]);
  }

  /** Returns the times of the guesses per subject. Requires `lock`. */
  async since(transaction: Transaction, subjects: readonly string[], sinceMs: number): Promise<number[][]> {
    const rows = await transaction.query<{ subject: string; guessed_at: Date }[]>(
      'select subject, guessed_at from password_guesses where subject = any($1::text[]) and guessed_at > $2',
      [subjects, new Date(sinceMs)],
    );
    return subjects.map((subject) =>
      rows.filter((row) => row.subject === subject).map((row) => row.guessed_at.getTime()),
    );
  }

  async add(transaction: Transaction, guessId: string, subjects: readonly string[], nowMs: number): Promise<void> {
    await transaction.query(
      `insert into password_guesses (guess_id, subject, guessed_at)
       select $1, subject, $3 from unnest($2::text[]) as subject`,
      [guessId, subjects, new Date(nowMs)],
    );
  }

  /** Removes one guess about all its subjects. */
  async removeGuess(transaction: Transaction, guessId: string): Promise<void> {
    await transaction.query('delete from password_guesses where guess_id = $1', [guessId]);
  }

  /** Removes all guesses about one subject. */
  async removeAllOf(transaction: Transaction, subject: string): Promise<void> {
    await transaction.query('delete from password_guesses where subject = $1', [subject]);
  }

  /** Removes some of the guesses until `untilMs`, the oldest first. */
  async prune(transaction: Transaction, untilMs: number): Promise<void> {
    await transaction.query(PRUNE, [new Date(untilMs), PRUNE_BATCH_SIZE]);
  }
}

/** Locks in a fixed order, so that two transactions with the same subjects cannot deadlock. */
const LOCK = `
  select pg_advisory_xact_lock(key)
    from (select distinct hashtextextended('password-guess:' || subject, 0) as key
            from unnest($1::text[]) as subject
           order by 1) as keys`;

const PRUNE = `
  delete from password_guesses
   where (guess_id, subject) in (select guess_id, subject
                                   from password_guesses
                                  where guessed_at <= $1
                                  order by guessed_at
                                  limit $2
                                    for update skip locked)`;
