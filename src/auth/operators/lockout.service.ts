import { randomUUID, createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isIPv6, SocketAddress } from 'node:net';
import { Clock } from '../../platform/clock.js';
import { type Transaction, Transactions } from '../../platform/database/transactions.js';
import { signInLockedOut } from '../../platform/errors/error-factories.js';
import { PasswordGuessStore } from './stores/password-guess.store.js';

/**
 * Limits wrong passwords to five in 15 minutes, across all processes (D19). A guess is recorded as wrong before the password is
 * checked, and removed if it was correct. Concurrent guesses therefore cannot exceed five, and a guess counts even if the
 * process dies. Rejected guesses do not count, so the lockout ends.
 */
@Injectable()
export class Lockout {
  constructor(
    private readonly store: PasswordGuessStore,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Records a guess as wrong, and returns its ID.
   * @param subjects from the `…Subject` functions below
   * @throws GatewayError `rate_limit_exceeded` if a subject already has five guesses
   */
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
    await this.store.removeGuess(transaction, guessId);
    await this.store.removeAllOf(transaction, subject);
  }

  /** Removes a guess that failed for a reason other than the password. */
  async withdraw(guessId: string): Promise<void> {
    await this.transactions.run((transaction) => this.store.removeGuess(transaction, guessId));
  }
}

const GUESSES_MAX = 5;
const WINDOW_MS = 15 * 60_000;

/** The first four of eight groups form a /64, which usually belongs to one household or one attacker. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;
/** Proxies can send longer values than any address. */
const ADDRESS_LENGTH_MAX = 64;
const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/** Emails are hashed, because people type passwords into that field. */
export const emailSubject = (emailKey: string) => `email:${createHash('sha256').update(emailKey).digest('base64url')}`;
export const operatorSubject = (operatorId: string) => `operator:${operatorId}`;
/** An IPv4 address counts by itself, even if it is mapped to IPv6. IPv6 addresses count by their /64. */
export const networkSubject = (ip: string) => `network:${networkOf(ip)}`;

export function waitMs(guessedAtMs: readonly number[], nowMs: number): number {
  const decisive = guessedAtMs.toSorted((a, b) => b - a)[GUESSES_MAX - 1];
  return decisive === undefined ? 0 : Math.max(0, decisive + WINDOW_MS - nowMs);
}

function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip.slice(0, ADDRESS_LENGTH_MAX);
  const { address } = new SocketAddress({ address: ip, family: 'ipv6' });
  const ipv4 = IPV4_IN_IPV6.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
